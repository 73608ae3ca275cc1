"""What is read of a campaign, and what can be drawn of it."""

from __future__ import annotations

from html_campaigns import failure, moment, run

from untrod.output.html.story import POINTS, read_story
from untrod.store import Store


def test_a_long_history_is_thinned_and_ends_where_the_campaign_stands(store: Store) -> None:
    campaign = run(store, "inputs", "t", {}, [moment(episodes) for episodes in range(3 * POINTS)])

    story = read_story(store, campaign[:-1], store.folder.parent)

    assert len(story.history) == POINTS + 1
    assert story.history[0].episodes == 0
    assert story.history[-1].episodes == story.row.episodes == 3 * POINTS - 1


def test_curves_have_a_start_and_only_numbers(store: Store) -> None:
    told = [3, None, "many", True, 10**400, 7]
    history = [moment(10 * (place + 1), {"covered": value}) for place, value in enumerate(told)]
    story = read_story(store, run(store, "cover", "t", {}, history), store.folder.parent)

    covered = story.over_episodes(lambda at: at.extra["covered"], 1.0)

    assert covered == [(0.0, 1.0), (10.0, 3.0), (60.0, 7.0), (60.0, 7.0)]
    assert story.over_time(lambda at: at.extra["covered"]) == [(1.0, 3.0), (6.0, 7.0), (6.0, 7.0)]


def test_findings_are_flags_at_the_episode_that_showed_them_first(store: Store) -> None:
    story = read_story(
        store, run(store, "inputs", "t", {}, [moment(9)], (failure("boom"),)), store.folder.parent
    )

    assert story.flags() == ((5, "episode 5: boom"),)


def test_a_finished_campaign_does_not_run(store: Store) -> None:
    campaign = run(store, "inputs", "t", {}, [moment(9)])

    assert not read_story(store, campaign, store.folder.parent).running
    with store.lock(campaign):
        assert read_story(store, campaign, store.folder.parent).running
