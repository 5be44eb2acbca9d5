/**
 * The CDK app. The context `ephemeral=true` deletes the table and the bucket with the stack; CloudFormation on AWS deletes
 * a bucket only when it is empty.
 */
import { App } from 'aws-cdk-lib';
import { bundleFunctions } from './bundle/bundle.ts';
import { ParleyStack } from './stack/parleyStack.ts';

await bundleFunctions();

const app = new App();
new ParleyStack(app, 'Parley', {
  description: 'Parley: a bot platform in your own account.',
  isEphemeral: app.node.tryGetContext('ephemeral') === 'true',
});
