import { CloudFormationClient, GetTemplateSummaryCommand } from '@aws-sdk/client-cloudformation';
import { App } from 'aws-cdk-lib';
import { SETTINGS } from '#infra/settings/settings.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { SETTINGS_METADATA } from '#infra/stack/recordSettings.ts';
import { stackNameOf } from '#infra/stack/stackName.ts';
import { deploymentContext } from './deploymentContext.ts';

interface Kept {
  args: string[];
  /** Lines for the operator. */
  note: string;
}

/**
 * Returns arguments of `cdk deploy` for the settings of the deployed stack that this deployment omits, so that an
 * upgrade from another machine removes no alarm or domain. `-c name=` returns a setting to its default.
 */
export async function keptSettings(given: readonly string[], directory = process.cwd()): Promise<Kept> {
  const { context, config } = deploymentContext(given, directory);
  const { stage, stages } = context as { stage?: string; stages?: Record<string, object> };
  const named = { ...context, ...(stage === undefined ? {} : stages?.[stage]) };
  const stackName = stackNameOf(settingsOf(new App({ autoSynth: false, context: { stage } })));
  let deployed: Record<string, string>;
  try {
    deployed = await findSettings(stackName, config);
  } catch (error) {
    return {
      args: [],
      note:
        `Settings: those of the deployed stack could not be read: ${(error as Error).message}\n` +
        'Settings that this deployment omits return to their defaults. Allow cloudformation:GetTemplateSummary to keep them.',
    };
  }
  const omitted = Object.entries(deployed).filter(([name]) => !Object.hasOwn(named, name));
  const kept = omitted.filter(([name]) => Object.hasOwn(SETTINGS, name));
  const gone = omitted.filter(([name]) => !Object.hasOwn(SETTINGS, name)).map(([name]) => name);
  const lines = [
    ...(kept.length > 0
      ? [
          `Settings: ${kept.map(([name, value]) => `${name}=${value}`).join(' ')}, as deployed.`,
          `Use a default instead: npm run deploy -- -c ${kept[0]![0]}=`,
        ]
      : []),
    ...(gone.length > 0 ? [`Settings: this version does not have ${gone.join(', ')}.`] : []),
  ];
  return { args: kept.flatMap(([name, value]) => ['-c', `${name}=${value}`]), note: lines.join('\n') };
}

/** Returns no settings before the first deployment, and for stacks of earlier versions. */
async function findSettings(StackName: string, config: { profile?: string }): Promise<Record<string, string>> {
  try {
    const { Metadata } = await new CloudFormationClient(config).send(new GetTemplateSummaryCommand({ StackName }));
    return JSON.parse(Metadata ?? '{}')[SETTINGS_METADATA] ?? {};
  } catch (error) {
    if ((error as Error).name === 'ValidationError') return {};
    throw error;
  }
}
