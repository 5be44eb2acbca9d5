/** Tests that code blocks of the documents are valid. `blocks.slow.test.ts` runs them. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { type Block, blocksOf, missingLine, ROOT } from '#test/support/documents.ts';

const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
const blocks = pages.flatMap(blocksOf);
const ofLanguage = (...languages: string[]) =>
  blocks
    .filter(({ language }) => languages.includes(language))
    .map(block => [`${block.page}:${block.line}`, block] as const);

const syntaxOf = async (text: string, loader: 'js' | 'ts' | 'css') =>
  (await transform(text, { loader, format: loader === 'css' ? undefined : 'esm', logLevel: 'silent' })).warnings;

describe('a block of the documents', () => {
  it('is in a language that a test checks', () => {
    const others = blocks.filter(({ language }) => !['', 'sh', 'js', 'ts', 'css', 'html', 'json'].includes(language));

    expect(others).toEqual([]);
  });

  it.each(ofLanguage('sh'))('is a script that bash can parse: %s', (_, { text }) => {
    const { stderr, status } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });

    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });

  it.each(ofLanguage('sh'))('has placeholders only in assignments: %s', (_, { text }) => {
    const commands = text
      .replaceAll(/(^|\s)#.*$/gm, '')
      .split('\n')
      .filter(line => !/^(export )?[A-Z_]+=\S*…/.test(line));

    expect(commands.filter(line => /…|<[a-z ]+>(?!.*<\/)/i.test(line))).toEqual([]);
  });

  it.each(ofLanguage('sh'))('uses only existing options of the commands: %s', (_, { text }) => {
    const faults = [...text.matchAll(/^.*?npm run ([\w:-]+) -- (.*?)(?:#.*)?$/gm)].flatMap(([, script, args]) =>
      optionsMissingFrom(script!, args!),
    );

    expect(faults).toEqual([]);
  });

  it.each(ofLanguage('js', 'ts', 'css'))('has no syntax error: %s', async (_, { text, language }) => {
    expect(await syntaxOf(text, language as 'js')).toEqual([]);
  });

  it.each(ofLanguage('json'))('is JSON: %s', (_, { text }) => {
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each(ofLanguage('html'))('closes all HTML elements: %s', (_, { text }) => {
    expect(openElements(text)).toEqual([]);
  });

  it.each(ofLanguage('js').filter(isProgram))(
    'imports only existing exports of its packages: %s',
    async (_, { text }) => {
      const imports = [...text.matchAll(/^import \{ (\w+) \} from '(@[^']+)'/gm)];

      for (const [, name, from] of imports) expect(Object.keys(await import(from!))).toContain(name);
    },
  );
});

describe('missingLine', () => {
  it('returns the line missing from the output', () => {
    expect(missingLine('one\n  …two\n', 'one\nand two\n')).toBeUndefined();
    expect(missingLine('http://127.0.0.1:4100/console', 'http://127.0.0.1:15000/console')).toBeUndefined();
    expect(missingLine('one\nthree', 'one\ntwo')).toBe('three');
  });
});

/** Returns the options that the source of an operator's command lacks, as `script --option`. */
function optionsMissingFrom(script: string, args: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const source = scripts[script]?.match(/^node (infra\/operator\/\S+)/)?.[1];
  // `cdk` has the options of a deployment.
  if (!source || script === 'deploy') return [];
  const folder = join(ROOT, source.replace(/\.ts$/, ''));
  const files = [join(ROOT, source), join(ROOT, 'infra/operator/target/target.ts')];
  if (existsSync(folder)) files.push(...globSync(join(folder, '*.ts')));
  const text = files.map(file => readFileSync(file, 'utf8')).join('\n');
  const options = [...args.matchAll(/(?<=\s|^)--([\w-]+)/g)].map(([, option]) => option!);
  return options.filter(option => !new RegExp(`\\b${option}\\b`).test(text)).map(option => `${script} --${option}`);
}

/** Returns true for a block that imports its packages and runs independently. */
function isProgram([, { text }]: readonly [string, Block]): boolean {
  return text.includes('import ');
}

/** Returns the elements of a fragment that are never closed. */
function openElements(html: string): string[] {
  const open: string[] = [];
  const parser = new Parser({
    onopentag: name => open.push(name),
    onclosetag: (name, isImplied) => {
      const last = open.pop();
      if (isImplied && name !== 'meta') open.push(last ?? name);
    },
  });
  parser.end(html);
  return open;
}

it('contains only AWS commands that tests run locally or against the emulator', () => {
  const DEPLOYMENT = [/^npx cdk bootstrap$/, /^npm run deploy$/, /^npm run bootstrap -- --email \S+ --workspace \S+$/];
  const VALUES = /^(cd \S+|API_URL=… WIDGET_URL=… TOKEN=\S+ WORKSPACE=\S+)$/;
  const REGISTRATION = /^curl -s "\$API_URL\/v1\/admin\/integrations" /;
  const linesOf = (isAws: boolean) =>
    blocks
      .filter(({ page, section }) => page === 'docs/start.md' && (section === 'On AWS') === isAws)
      .flatMap(({ text }) => text.trim().replaceAll('\\\n ', '').split('\n'));
  const local = new Set(linesOf(false).map(line => line.replace('$API_URL/console/widget.js', '$WIDGET_URL')));

  const others = linesOf(true).filter(
    line => ![...DEPLOYMENT, VALUES, REGISTRATION].some(pattern => pattern.test(line)) && !local.has(line),
  );

  expect(linesOf(true).length).toBeGreaterThan(12);
  expect(others).toEqual([]);
});
