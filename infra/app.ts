/** The CDK app. `-c ephemeral=true` makes a stack whose table and bucket go with it; on AWS, only an empty bucket does. */
import { App } from 'aws-cdk-lib';
import { bundleFunctions } from './bundle/bundle.ts';
import { ParleyStack } from './stack/parleyStack.ts';

await bundleFunctions();

const app = new App();
new ParleyStack(app, 'Parley', {
  description: 'Parley: a bot platform in your own account.',
  isEphemeral: app.node.tryGetContext('ephemeral') === 'true',
});
