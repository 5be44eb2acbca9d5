/**
 * `npm run lint:stack`: runs cfn-lint on the synthesized templates. Installs it from PyPI into `.venv`, once per
 * version. If that fails, prints it and fails only with `--required`.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '1.58.0';
const ROOT = join(import.meta.dirname, '..');
const ASSEMBLY = join(ROOT, 'cdk.out');
const ENVIRONMENT = join(ROOT, '.venv', `cfn-lint-${VERSION}`);
const LINTER = join(ENVIRONMENT, process.platform === 'win32' ? 'Scripts' : 'bin', 'cfn-lint');

export interface Finding {
  template: string;
  rule: string;
  path: string;
  message: string;
}

const ACKNOWLEDGED: readonly { rule: string; path: RegExp; reason: string }[] = [
  {
    rule: 'W3005',
    path: /^Resources\/\w+\/DependsOn\/\d+$/,
    reason: "The CDK also names a function's role and policies as dependencies. That is redundant and harmless.",
  },
];

export const isAcknowledged = ({ rule, path }: Finding): boolean =>
  ACKNOWLEDGED.some(each => each.rule === rule && each.path.test(path));

interface Match {
  Filename: string;
  Message: string;
  Rule: { Id: string };
  Location: { Path: (string | number)[] | null };
}

/** @param output of `cfn-lint --format json` */
export const parseFindings = (output: string): Finding[] =>
  (JSON.parse(output || '[]') as Match[]).map(({ Filename, Message, Rule, Location }) => ({
    template: Filename,
    rule: Rule.Id,
    path: (Location.Path ?? []).join('/'),
    message: Message,
  }));

function templatesOf(assembly: string): string[] {
  return globSync('*.assets.json', { cwd: assembly }).flatMap(manifest => {
    const { files }: { files: Record<string, { source: { path: string } }> } = JSON.parse(
      readFileSync(join(assembly, manifest), 'utf8'),
    );
    const paths = Object.values(files).map(({ source }) => source.path);
    return paths.filter(path => path.endsWith('.template.json')).map(path => join(assembly, path));
  });
}

/** Installs cfn-lint. Returns the reason of a failure. */
function install(): string | undefined {
  if (existsSync(LINTER)) return undefined;
  rmSync(ENVIRONMENT, { recursive: true, force: true });
  const commands = [
    ['python3', '-m', 'venv', ENVIRONMENT],
    [join(LINTER, '..', 'pip'), 'install', '--quiet', '--disable-pip-version-check', `cfn-lint==${VERSION}`],
  ];
  for (const [program, ...args] of commands as [string, ...string[]][]) {
    const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (error || status !== 0) {
      rmSync(ENVIRONMENT, { recursive: true, force: true });
      return error?.message ?? stderr.trim().split('\n').at(-1);
    }
  }
  return undefined;
}

/** Runs one process per core, with templates distributed by size. */
async function lint(templates: readonly string[]): Promise<Finding[]> {
  const bySize = [...templates].sort((a, b) => readFileSync(b).length - readFileSync(a).length);
  const shares = Array.from({ length: Math.min(availableParallelism(), bySize.length) }, (_, i) =>
    bySize.filter((_, n) => n % availableParallelism() === i),
  );
  const outputs = await Promise.all(
    shares.map(async share => {
      const options = ['--format', 'json', '--non-zero-exit-code', 'none', '--', ...share];
      const { stdout } = await promisify(execFile)(LINTER, options, { maxBuffer: 64 * 1024 * 1024 });
      return parseFindings(stdout);
    }),
  );
  return outputs.flat();
}

async function run(isRequired: boolean): Promise<{ text: string; exitCode: number }> {
  const reason = install();
  if (reason !== undefined) {
    const text = `NOT LINTED: cfn-lint ${VERSION} could not be installed (${reason}). Run npm run lint:stack with Python 3 and PyPI.`;
    return { text, exitCode: isRequired ? 1 : 0 };
  }
  const templates = templatesOf(ASSEMBLY);
  const findings = await lint(templates);
  const refused = findings.filter(each => !isAcknowledged(each));
  const lines = refused.map(({ template, rule, path, message }) => `  ${rule} ${template} ${path}: ${message}`);
  const acknowledged = `${findings.length - refused.length} acknowledged findings`;
  return lines.length > 0
    ? { text: ['cfn-lint found:', ...lines].join('\n'), exitCode: 1 }
    : { text: `cfn-lint passed: ${templates.length} templates, ${acknowledged}.`, exitCode: 0 };
}

if (import.meta.main) {
  const { text, exitCode } = await run(process.argv.includes('--required'));
  process.stdout.write(`${text}\n`);
  process.exitCode = exitCode;
}
