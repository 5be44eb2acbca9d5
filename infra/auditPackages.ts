/**
 * `npm run audit`: fails for high and critical vulnerabilities of installed and vendored packages, as reported by the
 * registry's audit endpoint. If the endpoint is unavailable, prints that and fails only with `--required`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

interface Finding {
  name: string;
  severity: string;
  range: string;
}

export type AuditResult =
  | { kind: 'clean'; packages: number }
  | { kind: 'vulnerable'; findings: Finding[] }
  | { kind: 'unknown'; reason: string };

const FAILING = new Set(['high', 'critical']);

interface Report {
  vulnerabilities?: Record<string, Finding>;
  metadata?: { dependencies?: { total?: number } };
  message?: string;
  error?: { summary?: string; code?: string };
}

/** @param output of `npm audit --json` */
export function parseAudit(output: string): AuditResult {
  let report: Report;
  try {
    report = JSON.parse(output);
  } catch {
    return { kind: 'unknown', reason: 'npm audit printed no JSON.' };
  }
  const { vulnerabilities, metadata } = report;
  if (!vulnerabilities || !metadata) {
    return { kind: 'unknown', reason: report.message ?? report.error?.summary ?? report.error?.code ?? 'no report' };
  }
  const findings = Object.values(vulnerabilities).filter(({ severity }) => FAILING.has(severity));
  return findings.length > 0
    ? { kind: 'vulnerable', findings }
    : { kind: 'clean', packages: metadata.dependencies?.total ?? 0 };
}

export function verdict(result: AuditResult, isRequired: boolean): { text: string; exitCode: number } {
  switch (result.kind) {
    case 'clean':
      return { text: `No high or critical vulnerability is known in ${result.packages} packages.`, exitCode: 0 };
    case 'vulnerable': {
      const lines = result.findings.map(({ name, severity, range }) => `  ${severity.padEnd(8)} ${name} ${range}`);
      return { text: ['Known vulnerabilities (npm audit has the details):', ...lines].join('\n'), exitCode: 1 };
    }
    case 'unknown':
      return {
        text: `NOT AUDITED: the registry's audit endpoint returned no report (${result.reason}). Run npm run audit with a registry that supports audits.`,
        exitCode: isRequired ? 1 : 0,
      };
  }
}

/** Folders with a lock file, relative to the repository. */
const LOCKED = ['.', 'infra/vendored/packages'];

function audit(folder: string): AuditResult {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  return parseAudit(spawnSync('npm', ['audit', '--json', '--package-lock-only'], options).stdout ?? '');
}

if (import.meta.main) {
  for (const folder of LOCKED.filter(name => existsSync(join(name, 'package-lock.json')))) {
    const { text, exitCode } = verdict(audit(folder), process.argv.includes('--required'));
    process.stdout.write(`${folder === '.' ? '' : `${folder}: `}${text}\n`);
    process.exitCode ||= exitCode;
  }
}
