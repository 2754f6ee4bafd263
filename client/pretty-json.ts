const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENT = "  ";

/**
 * The JSON text with line breaks and indents, every token letter for letter as it was: long numbers keep their digits,
 * strings their escapes, objects their order. `null` when the text is no JSON.
 */
export function prettyJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const tokens = text.match(TOKEN) ?? [];
  let depth = 0;
  let out = "";
  const newLine = () => `\n${INDENT.repeat(depth)}`;
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    if (token === "{" || token === "[") {
      const isEmpty = next === "}" || next === "]";
      if (!isEmpty) depth += 1;
      out += isEmpty ? token : token + newLine();
    } else if (token === "}" || token === "]") {
      const isEmpty = tokens[index - 1] === "{" || tokens[index - 1] === "[";
      if (!isEmpty) depth -= 1;
      out += isEmpty ? token : newLine() + token;
    } else if (token === ",") out += token + newLine();
    else out += token === ":" ? ": " : token;
  });
  return out;
}
