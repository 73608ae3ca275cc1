"""Teachers for imitation: they try many inputs before they advise one. Students never see them do it."""
