"""What Triton's semantics say of every symbolic register, flag and byte is what the processor computed."""

from __future__ import annotations

from random import Random

import pytest

from untrod.symbolic.native.evaluate import evaluate
from untrod.symbolic.native.registers import FLAGS

ARITHMETIC = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
static int cmp(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(int c, char **v) {
  unsigned char in[16] = {0}, copy[16];
  size_t n = fread(in, 1, 12, stdin);
  memcpy(copy, in, sizeof in);
  uint32_t a = in[0] | in[1] << 8 | in[2] << 16 | (uint32_t)in[3] << 24;
  int32_t b = (int32_t)(in[4] * 257u + in[5]) - 30000;
  uint64_t wide = (uint64_t)a * (in[6] + 1u);
  uint32_t turned = (a << (in[7] & 31)) | (a >> (31 & -(in[7] & 31)));
  int shifted = b >> (in[8] & 7);
  if (in[9] & 64) turned ^= __builtin_bswap32(a);
  if (b != 0) turned += (int32_t)a / b + (int32_t)a % b;
  if (in[10]) turned += a / in[10] - a % in[10];
  qsort(copy, 12, 1, cmp);
  switch (in[11]) {
    case 'a': turned += 1; break; case 'b': turned -= 7; break; case 'c': turned *= 3; break;
    case 'd': turned ^= 9; break; case 'e': turned |= 2; break; case 'f': turned &= 0xffff; break;
  }
  if ((int64_t)wide < (int64_t)turned) puts("less");
  if (strncmp((char *)in, "tr", 2) > 0 && c > 1) puts("after");
  if (strtol((char *)in, 0, 10) > 12) puts("number");
  printf("%u %d %lu %d\\n", turned, shifted, wide, copy[0] < copy[11]);
  return (int8_t)in[0] < (int8_t)in[1];
}
"""


def watch_closely(machine) -> list[int]:
    """At every instruction that touches symbolic data, compare what we believe with what is there."""
    lifter, emulator = machine._lifter, machine._emulator
    state, read = machine._shadow.state, machine._emulator.reg_read
    compared = [0]
    memory: dict[bytes, dict] = {}

    def execute(pc: int) -> None:
        flat = lifter._flat
        known = memory.setdefault(bytes(flat), {})
        decoded = machine.decoder.decode(pc, b"")
        # Many flags are undefined after this or that: those that somebody looks at had better be right.
        looked_at = decoded.reads if decoded.name.startswith(("j", "set", "cmov", "adc", "sbb")) else 0
        for register in machine.decoder.registers.values():
            if state.registers & register.bit and (register.name not in FLAGS or looked_at & register.bit):
                believed = evaluate(lifter._register(register), flat, known)
                number = read(register.unicorn)
                actual = number if register.shift < 0 else number >> register.shift & 1
                where = f"{register.name} before {machine.decoder.decode(pc, b'').name} at {pc:#x}"
                assert believed == actual, where
                compared[0] += 1
        for address, (term, place) in list(lifter._bytes.items())[-12:]:
            if machine._shadow.is_symbolic(address, 1):
                believed = evaluate(term, flat, known) >> 8 * place & 255
                assert believed == emulator.mem_read(address, 1)[0], hex(address)
                compared[0] += 1
        lifter.execute(pc)

    machine._hear = execute
    return compared


@pytest.mark.parametrize("seed", range(2))
def test_terms_are_worth_what_the_processor_computed(executor, seed) -> None:
    made = executor(ARITHMETIC, stdin=12)
    compared = watch_closely(made.machine)
    rng = Random(seed)
    for _ in range(2):
        data = bytes(rng.choice(b"0123456789abcdef -tr\x00\x7f\x80\xff") for _ in range(12))
        result = made.advance(made.initial(), made.follow((data,)), max_branches=5_000)
        assert result.status == "done", result.reason
    assert compared[0] > 1_000
    assert not made.machine.decoder.unsupported
