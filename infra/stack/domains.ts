/** Custom domains and their DNS records. Without a hosted zone, the operator creates the records. */
import { CfnOutput, Stack } from 'aws-cdk-lib';
import {
  BasePathMapping,
  type CfnDomainName,
  DomainName,
  EndpointType,
  IpAddressType,
  type IRestApi,
  SecurityPolicy,
  type Stage,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AaaaRecord, ARecord, HostedZone, type IAliasRecordTarget, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';

export function domainOf(scope: Construct, api: Api['name']): string | undefined {
  const { chatDomain, apiDomain, webhookDomain } = settingsOf(scope);
  return { chat: chatDomain, api: apiDomain, webhook: webhookDomain }[api];
}

export function addDomain(scope: Construct, domainName: string, restApi: IRestApi, stage: Stage): void {
  const { certificate } = settingsOf(scope);
  const domain = new DomainName(scope, 'Domain', {
    domainName,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificate!),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
  });
  // `DomainName` does not support the property.
  const resource = domain.node.defaultChild as CfnDomainName;
  resource.addPropertyOverride('EndpointConfiguration.IpAddressType', IpAddressType.DUAL_STACK);
  new BasePathMapping(scope, 'Mapping', { domainName: domain, restApi, stage });
  addRecords(scope, domainName, new ApiGatewayDomain(domain), domain.domainNameAliasDomainName);
}

export function addRecords(scope: Construct, recordName: string, target: IAliasRecordTarget, address: string): void {
  const { hostedZone } = settingsOf(scope);
  if (!hostedZone) {
    const id = `Record${recordName.replaceAll(/[^a-z0-9]/g, '')}`;
    new CfnOutput(Stack.of(scope), id, { description: `Target of the CNAME record ${recordName}.`, value: address });
    return;
  }
  const [hostedZoneId, zoneName] = hostedZone.split(':') as [string, string];
  const zone = HostedZone.fromHostedZoneAttributes(scope, 'Zone', { hostedZoneId, zoneName });
  const props = { zone, recordName: `${recordName}.`, target: RecordTarget.fromAlias(target) };
  new ARecord(scope, 'Record', props);
  new AaaaRecord(scope, 'Record6', props);
}
