from statistics import mean

import pytest

from untrod.core.errors import UntrodError
from untrod.drivers.model import ModelDriver
from untrod.engines.gui.agent import Agent
from untrod.engines.gui.explorers.catalogue import explorer
from untrod.engines.gui.ideas import NONE, Ideas
from untrod.ltl import judge, parse

ABOUT_A = "X ([activity ~ Main] U ([activity ~ About] & X ([activity ~ About] U [activity ~ Main])))"
ABOUT_C = (
    "X ([actionType = click] & [actionDetail ~ About] & [activity ~ About]"
    " & X ([actionType = back] U [activity ~ Main]))"
)
GAME_A = "F ([activity ~ Offline] & [text ~ moved])"
GAME_C = (
    "X ([actionDetail ~ Offline] & X ([actionDetail ~ Play] & X ([actionType = chessmove] & [text ~ moved])))"
)


def agent(graph, spec, name="farlead", seed=0, ideas=None, steps=4):
    return Agent(ModelDriver(graph, seed=seed), parse(spec), *explorer(name, seed, ideas), steps=steps)


def scripted(graph, spec, chooser, ideas=NONE, steps=4):
    return Agent(ModelDriver(graph), parse(spec), chooser, ideas, steps=steps).episode()


def steps_to_witness(graph, spec, name="farlead", ideas=None, seeds=20, episodes=300):
    """The actions taken until the first satisfying test, for each seed; all of them where there is none."""
    return [
        sum(trial.cost for trial in agent(graph, spec, name, seed, ideas).search(episodes))
        for seed in range(seeds)
    ]


class TestAnEpisode:
    def test_the_papers_example_pays_a_third_for_the_about_page_and_one_for_the_way_back(self, walk, make):
        chooser = make.scripted("pauseresume", "About", "back")
        trial = scripted(walk, ABOUT_A, chooser, Ideas(prediction=False))
        assert [round(reward, 2) for reward in trial.rewards] == [0, 0.33, 1]
        assert [(what, round(reward, 2)) for what, reward in chooser.observed] == [
            ("pauseresume", 0),
            ("About", 0.33),
            ("back", 1),
        ]
        assert trial.satisfied
        assert [str(action) for action in trial.actions] == ["pauseresume", 'click "About"', "back"]

    def test_ends_with_minus_one_as_soon_as_the_formula_is_violated(self, walk, make):
        trial = scripted(walk, ABOUT_A, make.scripted("About", "Web page"), Ideas(prediction=False))
        assert [round(reward, 2) for reward in trial.rewards] == [0.33, -1]
        assert not trial.satisfied
        assert not trial.dead_end

    def test_ends_after_its_steps_and_tells_the_explorer(self, walk, make):
        chooser = make.scripted("About", "Licence", "back")
        trial = scripted(walk, ABOUT_A, chooser, steps=3)
        assert (len(trial.steps), trial.satisfied, chooser.ends) == (3, False, 1)

    def test_its_letters_begin_with_the_reset_and_give_the_same_verdict_again(self, walk, make):
        trial = scripted(walk, ABOUT_A, make.scripted("About", "back"))
        assert ("actionType", "reinitialize") in trial.letters[0].pairs
        assert ("activity", "MainActivity") in trial.letters[0].pairs
        assert judge(parse(ABOUT_A), trial.letters) == trial.judgement

    def test_what_must_always_hold_is_satisfied_by_the_end_and_the_last_step_is_paid(self, walk, make):
        trial = scripted(walk, "G ![activity ~ launcher]", make.scripted("About", "back"), steps=2)
        assert trial.rewards == [0, 1]
        assert trial.satisfied
        assert trial.judgement.at_end

    def test_a_spec_that_needs_more_steps_is_refused(self, walk, make):
        with pytest.raises(UntrodError, match="at least 3 steps"):
            scripted(walk, GAME_C, make.scripted(), steps=2)


class TestThingsThatGoWrong:
    def test_a_refused_action_is_no_part_of_the_trace_and_not_offered_again(self, make):
        blocked = {"screen": "main", "outcome": "blocked"}
        graph = make.graph(
            main=make.screen("Main", make.click("Save", [blocked]), make.click("Open", "main"))
        )
        chooser = make.scripted("Save", "Open", "Save")
        trial = scripted(graph, "F [actionDetail = Save]", chooser, steps=3)
        assert [str(action) for action in trial.actions] == ['click "Open"']
        assert (trial.refused, trial.cost, trial.satisfied) == (2, 3, False)
        assert chooser.offered == [["Save", "Open"], ["Open"], ["Save", "Open"]]

    def test_a_crash_ends_the_episode_after_its_letter_was_read(self, make):
        crash = {"screen": "main", "outcome": "crashed", "events": [{"kind": "crash"}]}
        graph = make.graph(main=make.screen("Main", make.click("Save", [crash])))
        trial = scripted(graph, "X true & G ![text ~ x]", make.scripted("Save"))
        assert len(trial.steps) == 1
        assert scripted(graph, "F [event = crash]", make.scripted("Save")).satisfied

    def test_a_screen_without_actions_ends_the_trace(self, make):
        graph = make.graph(main=make.screen("Main", make.click("Go", "end")), end=make.screen("End"))
        trial = scripted(graph, "F [activity = Nowhere]", make.scripted("Go"))
        assert (len(trial.steps), trial.dead_end, trial.satisfied) == (1, False, False)


class TestRewardShaping:
    def test_without_it_only_verdicts_are_paid(self, walk, make):
        chooser = make.scripted("pauseresume", "About", "back")
        assert scripted(walk, ABOUT_A, chooser, NONE).rewards == [0, 0, 1]


class TestRewardPrediction:
    ON = Ideas(shaping=False, prediction=True, tail=0, labels=False)

    def test_drops_what_falsifies_the_formula(self, walk, make):
        chooser = make.scripted("About", "back")
        assert scripted(walk, ABOUT_C, chooser, self.ON).satisfied
        assert chooser.offered[0] == ["About"]
        # any action may be the one that leads to the main page, which the U waits for
        assert chooser.offered[1] == ["Web page", "Licence", "back"]

    def test_without_it_everything_is_offered(self, walk, make):
        chooser = make.scripted("About", "back")
        scripted(walk, ABOUT_C, chooser, NONE)
        assert [len(offered) for offered in chooser.offered] == [17, 3]

    def test_takes_what_makes_the_formula_true_without_asking(self, walk, make):
        chooser = make.scripted()
        trial = scripted(walk, "F [actionDetail = Settings]", chooser, self.ON)
        assert trial.satisfied
        assert (chooser.offered, chooser.observed) == ([], [("Settings", 1)])

    def test_a_dead_end_is_told_to_the_explorer(self, walk, make):
        chooser = make.scripted("Settings")
        trial = scripted(walk, "X X [actionDetail = Play]", chooser, self.ON)
        assert trial.dead_end
        assert (chooser.dead_ends, len(trial.steps), trial.satisfied) == (1, 1, False)

    def test_a_dead_end_costs_the_decision_before_it_one(self, walk):
        """Only Offline leads to where Play can be clicked; everything else is a dead end."""
        ideas = Ideas(shaping=False, prediction=True, tail=0, labels=False)
        play = agent(walk, "X X ([actionDetail = Play] & [text ~ never])", ideas=ideas)
        taken = {trial.actions[0].detail for trial in play.search(5)}
        learner = play.explorer.learner
        assert taken
        for detail in taken - {"Offline"}:
            kind = "click" if detail else "pauseresume"
            assert min(learner.values(("main",), (kind, detail, "", "", ""))) < 0


class TestTailsAndDecisions:
    SPEC = "X X X X [activity ~ never]"

    def learn(self, walk, tail):
        played = agent(walk, self.SPEC, ideas=Ideas(prediction=False, labels=False, tail=tail))
        list(played.search(40))
        return {key[0] for key, _, _ in _entries(played.explorer)}

    def test_without_tails_a_state_is_a_screen(self, walk):
        assert self.learn(walk, 0) <= {(screen,) for screen in walk.screens}

    def test_a_tail_of_one_tells_how_a_screen_was_reached(self, walk):
        states = self.learn(walk, 1)
        assert {len(state) for state in states} == {1}
        assert len({state for state in states if state[-1][1] == "main"}) > 5

    def test_a_tail_is_no_longer_than_it_may_be(self, walk):
        assert {len(state) for state in self.learn(walk, 2)} == {1, 2}


class TestActionLabelLearning:
    def test_a_new_state_knows_what_its_actions_were_worth_elsewhere(self, walk):
        for labels, worth in ((True, True), (False, False)):
            played = agent(walk, ABOUT_A, ideas=Ideas(labels=labels, prediction=False))
            list(played.search(300))
            new = played.explorer.learner.values("never met", ("back", "", "", "", ""))
            assert (new != (0.0, 0.0)) is worth


class TestFinding:
    def test_a_level_c_spec_that_names_every_action_is_found_in_the_first_episode(self, walk):
        """Prediction leaves nothing to choose."""
        assert steps_to_witness(walk, GAME_C) == [3] * 20

    def test_one_that_leaves_a_choice_is_found_in_few_steps(self, walk):
        assert max(steps_to_witness(walk, ABOUT_C)) <= 20

    def test_level_c_takes_a_fraction_of_randoms_steps(self, walk):
        for spec, share in ((GAME_C, 0.1), (ABOUT_C, 0.2)):
            random = mean(steps_to_witness(walk, spec, "random"))
            assert mean(steps_to_witness(walk, spec)) < share * random

    def test_without_shaping_a_level_a_spec_takes_much_longer(self, walk):
        """The step to the About page is then paid only when the next one goes wrong, and is soon avoided."""
        shaped, plain = (
            steps_to_witness(walk, ABOUT_A, ideas=Ideas(shaping=on), episodes=100) for on in (True, False)
        )
        assert mean(shaped) < 0.5 * mean(plain)

    @pytest.mark.parametrize("name", ["farlead", "random", "monkey"])
    def test_an_explorer_finds_a_way_to_the_about_page_and_back(self, walk, name):
        last = list(agent(walk, ABOUT_A, name, seed=1).search(300))[-1]
        assert last.satisfied
        assert judge(parse(ABOUT_A), last.letters).verdict == "satisfied"

    def test_qbe_finds_what_lies_where_the_activity_changes(self, make):
        squares = [make.click(f"Square {number}", "main") for number in range(3)]
        main = make.screen("Main", *squares, {"type": "menu", "to": "about"}, {"type": "idle", "to": "main"})
        graph = make.graph(main=main, about=make.screen("About", {"type": "back", "to": "main"}))
        spec = "F ([activity = About] & X ([activity = Main] & X ([activity = About] & X [activity = Main])))"
        assert mean(steps_to_witness(graph, spec, "qbe")) < 0.5 * mean(
            steps_to_witness(graph, spec, "random")
        )


@pytest.mark.parametrize("name", ["farlead", "random", "monkey", "qbe"])
def test_the_same_seed_plays_the_same_episodes(walk, name):
    def played(seed):
        return [trial.actions for trial in agent(walk, GAME_A, name, seed).search(30)]

    assert played(5) == played(5) != played(6)


def test_an_unknown_explorer_is_refused():
    with pytest.raises(UntrodError, match="no explorer 'fuzz'"):
        explorer("fuzz", 0)


def _entries(chooser):
    from untrod.learn.serialise import load_key

    return [(load_key(key), one, two) for key, one, two in chooser.state()["values"]]
