"""The world outside of the code under test as part of an input: arguments of the process, environment,
standard input, files, the clock, and what functions of others answer or raise.

    settings    a setting: what is put in place before the steps of an input are done
    stage       puts settings in place for a run, as `monkeypatch` does it for a test, and back
    needs       what the functions of a module look at outside: from its source, once, on loading
    answers     what functions of the standard library answer or raise, that reach outside
    dressing    draws and changes settings for inputs
    writing     settings as statements of a test
    refusals    where the guard has refused something: the settings with which nothing is attempted
    pinned      what the process of a test has that nobody chose
    varying     would the run do the same at somebody else's?
"""
