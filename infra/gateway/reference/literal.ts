/** Formats values as TypeScript. */

const LINE_LENGTH = 80;

/** Formats a JSON value as a literal, on several lines if it is long. `{ $variable }` inserts an expression. */
export function literal(value: unknown, indent = ''): string {
  const short = inline(value);
  if (short.length + indent.length <= LINE_LENGTH || typeof value !== 'object' || value === null) return short;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map(each => `${inner}${literal(each, inner)},`)
    : Object.entries(value).map(([name, each]) => `${inner}${keyOf(name)}: ${literal(each, inner)},`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return [open, ...lines, `${indent}${close}`].join('\n');
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('$variable' in value) return String(value.$variable);
  const fields = Object.entries(value).map(([name, each]) => `${keyOf(name)}: ${inline(each)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
