/* Standard input through expat, with handlers for everything common. */
#include <stdio.h>
#include <expat.h>

static int depth, seen;
static void start(void *data, const XML_Char *name, const XML_Char **attributes) {
  depth++;
  for (; attributes[0]; attributes += 2) seen++;
}
static void end(void *data, const XML_Char *name) { depth--; }
static void text(void *data, const XML_Char *chars, int size) { seen += size; }
static void note(void *data, const XML_Char *chars) { seen++; }
static void instruction(void *data, const XML_Char *target, const XML_Char *rest) { seen++; }

int main(void) {
  char input[4096];
  size_t size = fread(input, 1, sizeof input, stdin);
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetHashSalt(parser, 1);
  XML_SetElementHandler(parser, start, end);
  XML_SetCharacterDataHandler(parser, text);
  XML_SetCommentHandler(parser, note);
  XML_SetProcessingInstructionHandler(parser, instruction);
  int ok = XML_Parse(parser, input, (int)size, 1) == XML_STATUS_OK;
  printf("%d %d %s\n", depth, seen, ok ? "ok" : XML_ErrorString(XML_GetErrorCode(parser)));
  XML_ParserFree(parser);
  return !ok;
}
