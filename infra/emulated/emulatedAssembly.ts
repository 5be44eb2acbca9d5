/** Removes resources that the emulator does not support from a synthesized stack. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Types that the emulator rejects. It publishes WebSocket routes without a deployment. */
const UNSUPPORTED = /^AWS::ApiGatewayV2::(?:Deployment|IntegrationResponse|RouteResponse)$/;
/** Gradual rollouts have alarms and CodeDeploy. */
export const UNSUPPORTED_IN_SWITCHES = new RegExp(`^AWS::(?:CodeDeploy|CloudWatch)::|${UNSUPPORTED.source}`);

interface Template {
  Resources: Record<string, { Type: string; Properties?: { Parameters?: object }; UpdatePolicy?: unknown }>;
}

/** A nested stack requires all of its parameters, including those used only by removed resources. */
const ABSENT = 'absent';

/** @param directory of the cloud assembly, whose templates are changed */
export function removeUnsupported(directory: string, unsupported = UNSUPPORTED): void {
  for (const file of globSync('*.template.json', { cwd: directory })) {
    const path = join(directory, file);
    const template: Template = JSON.parse(readFileSync(path, 'utf8'));
    const removed = new Set(
      Object.entries(template.Resources).flatMap(([id, { Type }]) => (unsupported.test(Type) ? [id] : [])),
    );
    for (const id of removed) delete template.Resources[id];
    for (const resource of Object.values(template.Resources)) {
      // CodeDeploy's update of an alias.
      delete resource.UpdatePolicy;
      const { Parameters } = resource.Properties ?? {};
      if (Parameters)
        resource.Properties!.Parameters = Object.fromEntries(
          Object.entries(Parameters).map(([name, value]) => [name, without(value, removed) ?? ABSENT]),
        );
    }
    writeFileSync(path, JSON.stringify(without(template, removed)));
  }
}

/** Returns a value without references to removed resources. Drops lists and objects that become empty. */
function without(value: unknown, removed: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return removed.has(value) ? undefined : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const kept = value.map(each => without(each, removed));
    return kept.includes(undefined) ? orUndefined(kept.filter(each => each !== undefined)) : kept;
  }
  const { Ref, 'Fn::GetAtt': attribute } = value as { Ref?: string; 'Fn::GetAtt'?: [string, string] };
  if (removed.has(Ref ?? '') || removed.has(attribute?.[0] ?? '')) return undefined;
  const kept = Object.entries(value).map(([key, each]) => [key, without(each, removed)] as const);
  if (!kept.some(([, each]) => each === undefined)) return Object.fromEntries(kept);
  const present = kept.filter(([, each]) => each !== undefined);
  return present.length > 0 ? Object.fromEntries(present) : undefined;
}

const orUndefined = (list: unknown[]) => (list.length > 0 ? list : undefined);
