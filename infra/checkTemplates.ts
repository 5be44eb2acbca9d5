import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** CloudFormation's limit for a template in S3. The CDK uploads larger templates, and the deployment then fails. */
const LIMIT_BYTES = 1_000_000;

/**
 * @param assembly folder of the synthesized templates
 * @throws Error that names a template over CloudFormation's limit
 */
export function checkTemplates(assembly: string): void {
  for (const file of globSync('*.template.json', { cwd: assembly })) {
    const { size } = statSync(join(assembly, file));
    if (size <= LIMIT_BYTES) continue;
    throw new Error(
      `The template ${file} has ${size.toLocaleString('en')} bytes, but CloudFormation accepts ${LIMIT_BYTES.toLocaleString('en')}. ` +
        'Shorten long settings, such as trustedProxies, allowedOrigins and rateLimits, and keep ' +
        '"@aws-cdk/core:suppressTemplateIndentation" in the context of cdk.json.',
    );
  }
}
