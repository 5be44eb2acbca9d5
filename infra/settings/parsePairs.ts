interface Kind<Name extends string> {
  /** One setting with its article, for errors: `a quota`. */
  kind: string;
  form: string;
  names: readonly Name[];
  maxDigits: number;
}

/** Parses pairs such as `bot_count=10,storage_count=1000000000`. @throws Error that names the invalid part */
export function parsePairs<Name extends string>(text: string, kind: Kind<Name>): Partial<Record<Name, number>> {
  const pair = new RegExp(`^\\s*(\\w+)\\s*=\\s*(\\d{1,${kind.maxDigits}})\\s*$`);
  const pairs = text.split(',').map(part => {
    const [, name, value] = pair.exec(part) ?? [];
    if (!kind.names.includes(name as Name)) {
      throw new Error(`"${part}" is not ${kind.kind}. Write ${kind.form} is one of ${kind.names.join(', ')}.`);
    }
    return [name, Number(value)];
  });
  return Object.fromEntries(pairs);
}
