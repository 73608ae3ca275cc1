"""Symbolic execution of C programs: a static x86-64 Linux program is run on an input, and
instructions that touch symbolic data are executed symbolically as well.

    elf        the program file, and why it cannot be taken
    fields     which bytes of its input are symbolic, and what they are called
    layout     where things lie in memory; the first stack: argc, argv, environment
    system     the operating system, in memory: nothing of the host is ever touched
    file_calls the part of it that has to do with files; files: what is in them, symbolic or not
    machine    Unicorn, which runs the program, from a snapshot taken before the first symbolic read
    shadow     the hooks in C that see which instructions touch symbolic data (shadow.c)
    decode     which registers an instruction reads and writes
    lifter     Triton, which is shown those instructions alone, and what they do to symbolic data
    terms      expressions over the input's bytes
    conditions what was decided on a path: sets of bytes where one byte decides, terms otherwise
    solver     sets of bytes without a solver, Z3 for the rest
    executor   `protocol.SymbolicExecutor` over all of it

Unicorn (GPL-2) and Triton (Apache-2) come with the extra `native` and are imported here alone.
"""
