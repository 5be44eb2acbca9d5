import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkTemplates } from '#infra/checkTemplates.ts';

let assembly: string;
beforeEach(() => {
  assembly = mkdtempSync(join(tmpdir(), 'parley-assembly-'));
});
afterEach(() => rmSync(assembly, { recursive: true }));

const write = (name: string, bytes: number) => writeFileSync(join(assembly, name), ' '.repeat(bytes));

describe('the templates of the app', () => {
  it("accepts templates up to CloudFormation's size limit", () => {
    write('Parley.template.json', 1_000_000);
    write('tree.json', 2_000_000);

    expect(() => checkTemplates(assembly)).not.toThrow();
  });

  it('rejects a larger template before a deployment, and names the settings to shorten', () => {
    write('ParleyAdmin.nested.template.json', 1_000_001);

    expect(() => checkTemplates(assembly)).toThrow(
      /^The template ParleyAdmin\.nested\.template\.json has 1,000,001 bytes, .* Shorten long settings, such as trustedProxies/,
    );
  });
});
