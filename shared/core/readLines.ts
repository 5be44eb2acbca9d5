/** Splits at line feeds only. `node:readline` also splits at U+2028 and U+2029, which JSON contains unescaped. */
export async function* readLines(chunks: AsyncIterable<string>): AsyncIterable<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  if (rest !== '') yield rest;
}
