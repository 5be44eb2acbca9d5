/** Operations that Parley does not implement, which return 501 with a reason (docs/compatibility.md#not-there). */

interface AbsentOperation {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  reason: string;
}

type Route = readonly [name: string, method: AbsentOperation['method'], path: string];

const BILLING =
  'Parley has no plans, invoices or payments: your AWS account is billed by AWS. Quotas are set with npm run quota.';
const STUDIO =
  'Parley has no studio. Deploy bots with their code by bp deploy, and return to a version with deployBotVersion.';
const ISSUES =
  'Parley does not group failures into issues. Read failed events with listEvents (status=failed) and their reasons with getBotLogs, and retry them with replayBotEvents.';
const USAGE = 'Parley records usage per month and bot. Read it with listUsageHistory and breakDownWorkspaceUsageByBot.';
const OBSERVATIONS =
  'Parley does not collect observations for vendors. Count events with trackAnalytics, and read them with getBotAnalytics.';
const SANDBOX = 'Parley has no shared sandbox. Install the integration with its own credentials.';

const MEDIA =
  'Parley generates text only. Call the speech or image API of your provider from the code of the bot, with its key as a secret of the bot, and store results with upsertFile.';

const absent = (reason: string, routes: readonly Route[]): AbsentOperation[] =>
  routes.map(([name, method, path]) => ({ name, method, path, reason }));

export const ABSENT_OPERATIONS: readonly AbsentOperation[] = [
  ...absent(OBSERVATIONS, [['captureObservation', 'POST', '/v1/chat/observations']]),
  ...absent('Parley does not run VRL scripts.', [['runVrl', 'POST', '/v1/admin/helper/vrl']]),
  ...absent('Parley does not delete accounts. Delete their workspaces and tokens instead.', [
    ['deleteAccount', 'POST', '/v1/admin/account/me'],
  ]),
  ...absent('Parley does not record action runs. Read the log of the bot with getBotLogs.', [
    ['listActionRuns', 'GET', '/v1/admin/bots/{id}/action-runs'],
  ]),
  ...absent(ISSUES, [
    ['listBotIssues', 'GET', '/v1/admin/bots/{id}/issues'],
    ['getBotIssue', 'GET', '/v1/admin/bots/{id}/issues/{issueId}'],
    ['deleteBotIssue', 'DELETE', '/v1/admin/bots/{id}/issues/{issueId}'],
    ['listBotIssueEvents', 'GET', '/v1/admin/bots/{id}/issues/{issueId}/events'],
  ]),
  ...absent(STUDIO, [
    ['getBotJson', 'GET', '/v1/admin/bots/{id}/bot-json'],
    ['publishFromBotJson', 'POST', '/v1/admin/bots/{id}/publish-from-bot-json'],
  ]),
  ...absent(
    'Roles in the workspace control access. updateWorkspaceMember limits agents to bots by botIds, and a workspace of its own separates a bot from other members.',
    [
      ['getBotAllowlist', 'GET', '/v1/admin/bots/{botId}/allowlist'],
      ['updateBotAllowlist', 'PUT', '/v1/admin/bots/{botId}/allowlist'],
    ],
  ),
  ...absent(SANDBOX, [
    [
      'unlinkSandboxedConversations',
      'DELETE',
      '/v1/admin/bots/{botId}/integrations/{integrationId}/sandboxed-conversations',
    ],
  ]),
  ...absent(
    'A self-hosted installation does not verify integrations. Publish the integration with updateIntegration.',
    [['requestIntegrationVerification', 'POST', '/v1/admin/integrations/request-verification']],
  ),
  ...absent(USAGE, [
    ['getAllWorkspaceQuotaCompletion', 'GET', '/v1/admin/workspaces/usages/quota-completion'],
    ['listUsageActivity', 'GET', '/v1/admin/usages/{id}/activity'],
    ['listUsageActivityDaily', 'GET', '/v1/admin/usages/{id}/daily-activity'],
    ['listActivities', 'GET', '/v1/admin/activities'],
    ['getWorkspaceUsage', 'GET', '/v2/usage/workspace-usage'],
    ['getWorkspaceUsages', 'GET', '/v2/usage/workspace-usages'],
  ]),
  ...absent(MEDIA, [
    ['transcribeAudio', 'POST', '/v2/cognitive/transcribe-audio'],
    ['generateAudio', 'POST', '/v2/cognitive/generate-audio'],
    ['generateAudioStream', 'POST', '/v2/cognitive/generate-audio-stream'],
    ['generateImage', 'POST', '/v2/cognitive/generate-image'],
    ['listVoices', 'GET', '/v2/cognitive/voices'],
  ]),
  ...absent(BILLING, [
    ['migrateWorkspaceToV4', 'POST', '/v1/admin/workspaces/{id}/migrate-to-v4'],
    ['listWorkspaceInvoices', 'GET', '/v1/admin/workspaces/{id}/billing/invoices'],
    ['getUpcomingInvoice', 'GET', '/v1/admin/workspaces/{id}/billing/upcoming-invoice'],
    ['chargeWorkspaceUnpaidInvoices', 'POST', '/v1/admin/workspaces/{id}/billing/invoices/charge-unpaid'],
    ['changeAISpendQuota', 'PUT', '/v1/admin/quotas/ai-spend'],
    ['getBillingReadonly', 'GET', '/v2/billing/readonly'],
    ['getBillingAddress', 'GET', '/v2/billing/address'],
    ['setBillingAddress', 'PUT', '/v2/billing/address'],
    ['listPlans', 'GET', '/v2/billing/plans'],
    ['setPlan', 'PUT', '/v2/billing/plans'],
    ['getPlan', 'GET', '/v2/billing/plans/{planId}'],
    ['listAddons', 'GET', '/v2/billing/addons'],
    ['setAddons', 'PATCH', '/v2/billing/addons'],
    ['getAddon', 'GET', '/v2/billing/addons/{addonId}'],
    ['getSubscription', 'GET', '/v2/billing/subscriptions'],
    ['previewSubscriptionUpdate', 'POST', '/v2/billing/subscriptions/preview'],
    ['setCancelAtPeriodEnd', 'POST', '/v2/billing/subscriptions/cancel'],
    ['getAutoRechargeSettings', 'GET', '/v2/billing/auto-recharge/settings'],
    ['setAutoRechargeSettings', 'PUT', '/v2/billing/auto-recharge/settings'],
    ['getTrials', 'GET', '/v2/billing/trials'],
    ['createTrial', 'POST', '/v2/billing/trials'],
    ['removeTrial', 'DELETE', '/v2/billing/trials'],
    ['createCreditGrant', 'POST', '/v2/billing/credit-grants'],
    ['listInvoices', 'GET', '/v2/billing/invoices'],
    ['payInvoice', 'POST', '/v2/billing/invoices/{invoiceId}/pay'],
    ['getPaymentMethod', 'GET', '/v2/billing/payment-methods'],
    ['setPaymentMethod', 'POST', '/v2/billing/payment-methods'],
    ['createPaymentMethodIntent', 'POST', '/v2/billing/payment-methods/intent'],
    ['getQuotas', 'GET', '/v2/billing/quotas'],
  ]),
];
