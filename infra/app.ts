/** The CDK app: one stack, configured by the settings in docs/reference/settings.md. */
import { App } from 'aws-cdk-lib';
import { bundleFunctions } from './bundle/bundle.ts';
import { checkTemplates } from './checkTemplates.ts';
import { buildConsole, isConsoleStale } from './console/buildConsole.ts';
import { ParleyStack } from './parleyStack.ts';
import { settingsOf } from './settings/settingsOf.ts';
import { hasConsole } from './stack/consoleSite.ts';
import { stackNameOf } from './stack/stackName.ts';

await bundleFunctions();

const app = new App();
const settings = settingsOf(app);
if (hasConsole(settings) && isConsoleStale()) await buildConsole();
new ParleyStack(app, stackNameOf(settings), {
  description: 'Parley: a bot platform in your own account.',
});

checkTemplates(app.synth().directory);
