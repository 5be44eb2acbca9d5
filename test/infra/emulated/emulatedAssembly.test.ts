import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeUnsupported, UNSUPPORTED_IN_SWITCHES } from '#infra/emulated/emulatedAssembly.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-assembly-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function removedFrom(Resources: object, ...more: [RegExp?]): Record<string, unknown> {
  const file = join(directory, 'Parley.template.json');
  writeFileSync(file, JSON.stringify({ Resources }));
  removeUnsupported(directory, ...more);
  return JSON.parse(readFileSync(file, 'utf8')).Resources;
}

const SOCKET = {
  Route: { Type: 'AWS::ApiGatewayV2::Route', Properties: { RouteKey: 'keepAlive' } },
  Reply: { Type: 'AWS::ApiGatewayV2::RouteResponse', Properties: { RouteId: { Ref: 'Route' } } },
  Deployment: { Type: 'AWS::ApiGatewayV2::Deployment', Properties: {} },
  Stage: {
    Type: 'AWS::ApiGatewayV2::Stage',
    Properties: { StageName: 'socket', DeploymentId: { Ref: 'Deployment' } },
    DependsOn: ['Deployment', 'Route'],
  },
};
const DASHBOARD = { Dashboard: { Type: 'AWS::CloudWatch::Dashboard', Properties: {} } };

describe('the assembly for the emulator', () => {
  it('lacks unsupported resources and the references to them', () => {
    const kept = removedFrom({ ...SOCKET, ...DASHBOARD });

    expect(kept).toEqual({
      Route: SOCKET.Route,
      Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { StageName: 'socket' }, DependsOn: ['Route'] },
      ...DASHBOARD,
    });
  });

  it('also lacks alarms and rollouts in switches', () => {
    const kept = removedFrom({ ...SOCKET, ...DASHBOARD }, UNSUPPORTED_IN_SWITCHES);

    expect(Object.keys(kept)).toEqual(['Route', 'Stage']);
  });
});
