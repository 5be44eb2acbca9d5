/**
 * The contract's operations that a self-hosted platform does not have. Their routes answer 501 with the reason, so that
 * a caller can tell what will never be there from a mistyped path (docs/compatibility.md#not-there).
 */

interface AbsentOperation {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root of the API. */
  path: string;
  /** Why it is not there, and what to do instead. */
  reason: string;
}

type Route = readonly [name: string, method: AbsentOperation['method'], path: string];

const BILLING =
  'Parley has no plans, invoices or payments: your AWS account is billed by AWS. Quotas are set with npm run quota.';
const VERSIONS =
  'Parley keeps the current definition of a bot only. Keep its source in version control, and deploy from there.';
const ISSUES = 'Parley collects no issues. Read the log of the bot with getBotLogs.';
const USAGE = 'Parley counts usage by month and bot. Read it with listUsageHistory and breakDownWorkspaceUsageByBot.';
const STATISTICS = 'Parley collects no statistics for a vendor. Read those of a bot with getBotAnalytics.';
const SANDBOX = 'Parley has no sandbox that several bots share. Install the integration with credentials of its own.';

const MEDIA =
  'Parley asks a language model for text only. Call a provider of speech or images from the code of the bot.';

const because = (reason: string, routes: readonly Route[]): AbsentOperation[] =>
  routes.map(([name, method, path]) => ({ name, method, path, reason }));

export const ABSENT_OPERATIONS: readonly AbsentOperation[] = [
  ...because(STATISTICS, [
    ['trackAnalytics', 'POST', '/v1/chat/analytics'],
    ['captureObservation', 'POST', '/v1/chat/observations'],
  ]),
  ...because('Parley runs no VRL scripts.', [['runVrl', 'POST', '/v1/admin/helper/vrl']]),
  ...because('Parley deletes no accounts. Delete its workspaces and tokens instead.', [
    ['deleteAccount', 'POST', '/v1/admin/account/me'],
  ]),
  ...because('Parley keeps no list of action runs. Read the log of the bot with getBotLogs.', [
    ['listActionRuns', 'GET', '/v1/admin/bots/{id}/action-runs'],
  ]),
  ...because(ISSUES, [
    ['listBotIssues', 'GET', '/v1/admin/bots/{id}/issues'],
    ['getBotIssue', 'GET', '/v1/admin/bots/{id}/issues/{issueId}'],
    ['deleteBotIssue', 'DELETE', '/v1/admin/bots/{id}/issues/{issueId}'],
    ['listBotIssueEvents', 'GET', '/v1/admin/bots/{id}/issues/{issueId}/events'],
  ]),
  ...because(VERSIONS, [
    ['listBotVersions', 'GET', '/v1/admin/bots/{id}/versions'],
    ['createBotVersion', 'POST', '/v1/admin/bots/{id}/versions'],
    ['deployBotVersion', 'POST', '/v1/admin/bots/{id}/versions/deploy'],
    ['getBotVersion', 'GET', '/v1/admin/bots/{id}/versions/{versionId}'],
    ['getBotJson', 'GET', '/v1/admin/bots/{id}/bot-json'],
    ['publishFromBotJson', 'POST', '/v1/admin/bots/{id}/publish-from-bot-json'],
  ]),
  ...because('Parley has no list of who may see a bot. Members are allowed by their role in the workspace.', [
    ['getBotAllowlist', 'GET', '/v1/admin/bots/{botId}/allowlist'],
    ['updateBotAllowlist', 'PUT', '/v1/admin/bots/{botId}/allowlist'],
  ]),
  ...because(SANDBOX, [
    [
      'unlinkSandboxedConversations',
      'DELETE',
      '/v1/admin/bots/{botId}/integrations/{integrationId}/sandboxed-conversations',
    ],
  ]),
  ...because('Nobody verifies integrations in a self-hosted installation. Make it public with updateIntegration.', [
    ['requestIntegrationVerification', 'POST', '/v1/admin/integrations/request-verification'],
  ]),
  ...because(USAGE, [
    ['getAllWorkspaceQuotaCompletion', 'GET', '/v1/admin/workspaces/usages/quota-completion'],
    ['listUsageActivity', 'GET', '/v1/admin/usages/{id}/activity'],
    ['listUsageActivityDaily', 'GET', '/v1/admin/usages/{id}/daily-activity'],
    ['listActivities', 'GET', '/v1/admin/activities'],
    ['getWorkspaceUsage', 'GET', '/v2/usage/workspace-usage'],
    ['getWorkspaceUsages', 'GET', '/v2/usage/workspace-usages'],
  ]),
  ...because(MEDIA, [
    ['transcribeAudio', 'POST', '/v2/cognitive/transcribe-audio'],
    ['generateAudio', 'POST', '/v2/cognitive/generate-audio'],
    ['generateAudioStream', 'POST', '/v2/cognitive/generate-audio-stream'],
    ['generateImage', 'POST', '/v2/cognitive/generate-image'],
    ['listVoices', 'GET', '/v2/cognitive/voices'],
  ]),
  ...because(BILLING, [
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
