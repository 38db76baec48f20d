// Rule pages: headings, lists, tables, emphasis, code and links, as parts that are drawn as text. No HTML is made.

export type Inline = { kind: "text" | "strong" | "em" | "code" | "rule"; text: string };
export type Block =
  | { kind: "heading"; level: number; text: Inline[] }
  | { kind: "paragraph"; text: Inline[]; rule: string | null }
  | { kind: "list"; items: { text: Inline[]; rule: string | null }[] }
  | { kind: "table"; rows: Inline[][][] }
  | { kind: "code"; text: string };

const MARK = /(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`|\bR\d+\.\d+\b|\[[^\]]+\]\([^)]+\))/g;

export function inline(text: string): Inline[] {
  return text
    .split(MARK)
    .filter(Boolean)
    .map((part): Inline => {
      if (part.startsWith("**")) return { kind: "strong", text: part.slice(2, -2) };
      if (part.startsWith("*") && part.length > 2) return { kind: "em", text: part.slice(1, -1) };
      if (part.startsWith("`")) return { kind: "code", text: part.slice(1, -1) };
      if (/^R\d+\.\d+$/.test(part)) return { kind: "rule", text: part };
      if (part.startsWith("[")) return { kind: "text", text: part.slice(1, part.indexOf("]")) };
      return { kind: "text", text: part };
    });
}

/** A row of a table, which may be indented, as one that belongs to an item of a list is. */
const ROW = /^\s*\|/;

/** A table of many columns with words in them, turned so that it fits on a phone; numbers may lie side by side. */
function upright(rows: Inline[][][]): Inline[][][] {
  const columns = rows[0] ?? [];
  const length = (cell: Inline[]): number => cell.reduce((sum, part) => sum + part.text.length, 0);
  const wordy = rows.some((row) => row.slice(1).some((cell) => length(cell) > 3));
  return columns.length > 6 && wordy ? columns.map((_, at) => rows.map((row) => row[at] ?? [])) : rows;
}

const ruleOf = (text: string): string | null => /^\*\*(R\d+\.\d+)\*\*/.exec(text)?.[1] ?? null;

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    const heading = /^(#+)\s+(.*)/.exec(line);
    if (!line.trim()) at++;
    else if (heading) {
      found.push({ kind: "heading", level: heading[1]!.length, text: inline(heading[2]!) });
      at++;
    } else if (line.startsWith("```")) {
      const inside: string[] = [];
      for (at++; at < lines.length && !lines[at]!.startsWith("```"); at++) inside.push(lines[at]!);
      at++;
      found.push({ kind: "code", text: inside.join("\n") });
    } else if (ROW.test(line)) {
      const rows: Inline[][][] = [];
      for (; at < lines.length && ROW.test(lines[at]!); at++)
        if (!/^[|\s:-]+$/.test(lines[at]!))
          rows.push(
            lines[at]!.split("|")
              .slice(1, -1)
              .map((cell) => inline(cell.trim())),
          );
      found.push({ kind: "table", rows: upright(rows) });
    } else if (/^\s*([-*]|\d+\.)\s/.test(line)) {
      const items: string[] = [];
      for (
        ;
        at < lines.length && lines[at]!.trim() && !/^#/.test(lines[at]!) && !ROW.test(lines[at]!);
        at++
      ) {
        const item = /^\s*(?:[-*]|\d+\.)\s+(.*)/.exec(lines[at]!);
        if (item) items.push(item[1]!);
        else items[items.length - 1] += " " + lines[at]!.trim();
      }
      found.push({ kind: "list", items: items.map((item) => ({ text: inline(item), rule: ruleOf(item) })) });
    } else {
      const words: string[] = [];
      for (; at < lines.length && lines[at]!.trim() && !/^(#|\s*\||```|\s*[-*]\s)/.test(lines[at]!); at++)
        words.push(lines[at]!.trim());
      if (!words.length) words.push(lines[at++]!.trim());
      const whole = words.join(" ");
      found.push({ kind: "paragraph", text: inline(whole), rule: ruleOf(whole) });
    }
  }
  return found;
}
