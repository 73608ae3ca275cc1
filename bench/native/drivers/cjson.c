/* Standard input through cJSON: parsed, printed, minified. */
#include <stdio.h>
#include <stdlib.h>
#include "cJSON.h"

int main(void) {
  char text[4096];
  size_t size = fread(text, 1, sizeof text - 1, stdin);
  text[size] = 0;
  cJSON *value = cJSON_Parse(text);
  if (!value) return 1;
  char *printed = cJSON_Print(value), *plain = cJSON_PrintUnformatted(value);
  if (printed) puts(printed);
  if (plain) cJSON_Minify(plain), puts(plain);
  free(printed);
  free(plain);
  cJSON_Delete(value);
  return 0;
}
