/** Stage of an API, with its domain, firewall, and the functions of routes that are not operations. */
import { NestedStack } from 'aws-cdk-lib';
import { AccessLogFormat, Deployment, LogGroupLogDestination, Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { ACCESS_LOG_FORMAT } from '#infra/gateway/accessLog.ts';
import { API_ROOT } from '#infra/gateway/apis.ts';
import { extraFunctions } from '#infra/gateway/gatewayDocument.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import type { ApiStack } from './apiStack.ts';
import { addDomain, domainOf } from './domains.ts';
import { LambdaFunction } from './lambdaFunction.ts';
import { originVariables } from './operatorLimits.ts';
import type { Resources } from './resources.ts';
import { throttlingOf } from './throttling.ts';
import { timeoutOf } from './timeouts.ts';

interface ApiStageProps {
  stack: ApiStack;
  resources: Resources;
  firewallArn: string | undefined;
}

export class ApiStage extends NestedStack {
  constructor(scope: Construct, id: string, { stack, resources, firewallArn }: ApiStageProps) {
    const { api, rest } = stack;
    super(scope, id, { description: `Parley: the ${api.name} API` });
    // Its logical id contains a hash of the routes, so a changed route creates a deployment.
    const deployment = new Deployment(this, 'Deployment', { api: rest });
    for (const name of extraFunctions(api)) {
      // `ParleyStack` creates it after the console, whose URL it lists.
      if (name === API_ROOT) continue;
      const { function: target } = new LambdaFunction(this, name, {
        access: { table: 'none' },
        resources,
        timeout: timeoutOf(false),
        deployedAs: `${api.name}-${name}`,
        variables: originVariables(this),
      });
      deployment.node.addDependency(target);
    }
    const stage = new Stage(this, 'Stage', {
      deployment,
      stageName: api.name,
      accessLogDestination: new LogGroupLogDestination(resources.logs.accessLogOf(api.name)),
      accessLogFormat: AccessLogFormat.custom(ACCESS_LOG_FORMAT),
      ...throttlingOf(this, api.name),
      tracingEnabled: settingsOf(this).tracing === 'on',
    });
    if (firewallArn)
      new CfnWebACLAssociation(this, 'Firewall', { resourceArn: stage.stageArn, webAclArn: firewallArn });
    const domain = domainOf(this, api.name);
    if (domain) addDomain(this, domain, rest, stage);
  }
}
