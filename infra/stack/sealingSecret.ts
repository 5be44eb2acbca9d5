/**
 * The key that encrypts stored secrets (`shared/storage/dynamodb/secrets/sealed.ts`), in Secrets Manager. Functions
 * have it in their environment, which Lambda decrypts with the stack's KMS key at startup, so no call waits for KMS.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { VARIABLES } from '#shared/core/environment.ts';

const KEY_LENGTH = 48;

export class Sealing extends Construct {
  readonly kmsKey: Key | undefined;
  readonly variables: Record<string, string>;
  readonly statements: PolicyStatement[];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { sealingKey: given, ephemeral } = settingsOf(this);
    if (given !== undefined) {
      this.variables = { [VARIABLES.sealingKey]: given };
      this.statements = [];
      return;
    }
    // Secrets in the table are lost without the key.
    const removalPolicy = ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
    this.kmsKey = new Key(this, 'Key', {
      description: 'Parley: encrypts the sealing key of stored secrets.',
      enableKeyRotation: true,
      removalPolicy,
    });
    const secret = new Secret(this, 'Secret', {
      description: 'Parley: the sealing key of stored secrets. They cannot be read without it.',
      encryptionKey: this.kmsKey,
      generateSecretString: { passwordLength: KEY_LENGTH, excludePunctuation: true },
      removalPolicy,
    });
    this.variables = { [VARIABLES.sealingKey]: secret.secretValue.unsafeUnwrap() };
    this.statements = [new PolicyStatement({ actions: ['kms:Decrypt'], resources: [this.kmsKey.keyArn] })];
  }
}
