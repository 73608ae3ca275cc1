/* A calculator in reverse Polish notation with four bugs planted in it.

   calc [MODE] reads a program from standard input: digits push, + - * / % work on the two topmost numbers,
   d duplicates, p prints. MODE is -d (decimal), -h (hexadecimal) or -tN (trace, N digits wide). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int stack[3];
static int depth;

static void push(int value) {
  stack[depth++] = value; /* bug 1: nobody looks whether there is room */
}

static int pop(void) {
  if (depth == 0) {
    fputs("calc: the stack is empty\n", stderr);
    exit(2);
  }
  return stack[--depth];
}

static int combine(char op, int left, int right) {
  switch (op) {
    case '+': return left + right;
    case '-': return left - right;
    case '*': return left * right;
    case '/': return left / right; /* bug 2: right may be 0 */
    default:
      if (right == 0) {
        fputs("calc: modulo zero\n", stderr);
        exit(3);
      }
      return left % right;
  }
}

static const char *format(const char *mode) {
  if (mode[0] != '-') return "%d\n";
  if (mode[1] == 'h') return "%x\n";
  if (mode[1] == 't' && mode[2] == '7' && mode[3] == 'q') return NULL; /* bug 3: printf of nothing */
  return "%d\n";
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  char line[16];
  size_t size = fread(line, 1, sizeof line - 1, stdin);
  line[size] = 0;
  for (size_t at = 0; at < size; at++) {
    char c = line[at];
    if (c >= '0' && c <= '9') push(c - '0');
    else if (c == '+' || c == '-' || c == '*' || c == '/' || c == '%') {
      int right = pop(), left = pop();
      push(combine(c, left, right));
    } else if (c == 'd') {
      int top = pop();
      push(top);
      push(top);
    } else if (c == 'p') {
      const char *how = format(mode);
      printf(how, pop());
    } else if (c == '!' && memcmp(line, "8!", 2) == 0) {
      while (stack[0] == 8) stack[1]++; /* bug 4: for ever */
    } else if (c != ' ' && c != '\n') {
      fprintf(stderr, "calc: what is %c?\n", c);
      return 1;
    }
  }
  return 0;
}
