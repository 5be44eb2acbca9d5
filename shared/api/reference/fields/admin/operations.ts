/** Operation of bots and integrations: analytics, logs, dead letters, deliveries and connections. */

import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';
import { WIDGET_TEXTS } from '#shared/api/reference/widgetTexts.ts';

const NO_MODELS = 'Always 0, because bots call language models themselves.';

export const operations = [
  shapeIn('admin', ['getBotAnalytics.output'], { records: 'One record per day of the range, earliest first.' }),
  shapeIn('admin', ['getBotAnalytics.output.records'], {
    startDateTimeUtc: 'Beginning of the day in UTC.',
    endDateTimeUtc: 'End of the day in UTC, exclusive.',
    returningUsers: 'Users who were active and had been created on an earlier day.',
    newUsers: 'Users who were active and had been created on the same day.',
    sessions: 'Conversations with activity.',
    messages: 'Messages of users and of the bot.',
    userMessages: 'Messages of users.',
    botMessages: 'Messages of the bot, including those of members.',
    events: 'Custom events of chat users.',
    eventTypes: 'Custom events by type.',
    customEvents: 'Sums of `trackAnalytics` by name.',
    llm: 'Calls of language models. All values are 0, because bots call models themselves.',
    'llm.calls': NO_MODELS,
    'llm.errors': NO_MODELS,
    'llm.inputTokens': NO_MODELS,
    'llm.outputTokens': NO_MODELS,
    'llm.latency': 'Duration of the calls. All values are 0.',
    'llm.tokensPerSecond': 'Speed of the calls. All values are 0.',
    'llm.cost': 'Cost of the calls. All values are 0.',
  }),
  shapeIn('admin', ['llm.latency', 'llm.tokensPerSecond', 'llm.cost'], {
    mean: NO_MODELS,
    sd: NO_MODELS,
    min: NO_MODELS,
    max: NO_MODELS,
  }),
  shapeIn('admin', ['llm.cost'], { sum: NO_MODELS }),
  shapeIn('admin', ['getBotLogs.output', 'getIntegrationLogs.output'], {
    logs: 'Lines of the log, oldest first.',
    'logs.timestamp': 'Time of the line, by the clock of the platform.',
    'logs.level': 'Severity.',
    'logs.message': 'Text of the line.',
    'logs.workflowId': 'Workflow in which the line was written.',
    'logs.userId': 'User whom the line concerns.',
    'logs.conversationId': 'Conversation that the line concerns.',
    'logs.eventId': 'Event whose handling wrote the line.',
    nextToken: 'Token of the next page. Send it with unchanged filters. Absent on the last page.',
  }),
  shapeIn('admin', ['listDeadLetters.output'], {
    parked: 'Dead letters of the bot, oldest first.',
    'parked.id': 'Id of the dead letter, for `redriveDeadLetters`.',
    'parked.task': 'Consumer that failed.',
    'parked.about': 'Record that the work concerns, for example a file.',
    'parked.error': 'Kind of the error. The log of the operator has its text.',
    'parked.parkedAt': 'Time of the last failure.',
    'parked.redrivenAt': 'Time of the latest redrive. Absent before one.',
    'parked.failures': 'Number of times that the work became a dead letter.',
  }),
  shapeIn('admin', ['redriveDeadLetters'], {
    'body.ids': 'Dead letters to redrive. Default: all.',
    'body.next': 'Value of `next` in the previous response.',
    'output.redriven': 'Number of dead letters that this call redrove.',
    'output.next': 'Value for the next call. Absent when all were redriven.',
  }),
  shapeIn('admin', ['replayBotEvents'], {
    'body.since': 'Earliest time of the failed events. Default: all that are kept.',
    'body.next': 'Value of `next` in the previous response.',
    'output.replayed': 'Number of events that this call delivers again.',
    'output.next': 'Value for the next call. Absent when no event remains.',
  }),
  shapeIn('admin', ['listBotEndpoints.output'], { endpoints: 'The endpoint of the bot, then those of installations.' }),
  shapeIn('admin', ['retryBotEndpoint.output'], { endpoint: 'The endpoint after the call.' }),
  shapeIn('admin', ['retryBotEndpoint.body'], {
    integrationAlias: 'Alias of the installation whose endpoint is retried. Default: the endpoint of the bot.',
  }),
  shapeIn('admin', ['output.endpoint', 'output.endpoints'], {
    integrationAlias: 'Alias of the installation. Absent for the endpoint of the bot.',
    status:
      'Result of the latest calls: `healthy`, `unreachable` without responses, `failing` with few events handled, `deploying`, or `missing` without url and code.',
    since: 'Time of the first call that failed. Absent for a healthy endpoint.',
    failedAttempts: 'Number of consecutive calls without a response, or of events that it could not handle.',
    lastError: 'Reason of the latest failed call.',
    nextAttemptAt: 'Time of the next attempt. Absent without pending deliveries.',
    pausedConversations: 'Number of conversations with pending deliveries. At most 100 are counted.',
  }),
  shapeIn('admin', ['updateBotDeliveries.output'], { deliveries: 'Current settings.' }),
  shapeIn('admin', ['updateBotDeliveries.output.deliveries'], {
    attempts: 'Maximum number of attempts, including the first.',
    withinSeconds: 'Time in seconds within which attempts may start.',
  }),
  shapeIn('admin', ['updateBotDeliveries.body'], {
    attempts: 'Maximum number of attempts, including the first. Omitted: unchanged. Null: the default.',
    withinSeconds: 'Time in seconds within which attempts may start. Omitted: unchanged. Null: the default.',
  }),
  shapeIn('admin', ['getBotWebchat.output'], { code: 'HTML to paste into a page.' }),
  shapeIn('admin', ['getBotWidget.output', 'setBotWidget.output'], { widget: 'Content of the widget.' }),
  shapeIn('admin', ['output.widget', 'setBotWidget.body'], {
    settings: 'Settings of the widget. Omitted ones have their default.',
  }),
  shapeIn('admin', ['output.widget'], {
    version: 'Number of changes. 0 without stored settings.',
    updatedAt: 'Time of the last change. Absent without stored settings.',
  }),
  shapeIn('admin', ['setBotWidget.body'], { version: 'Version of the settings that this call replaces.' }),
  shapeIn('admin', ['output.widget.settings', 'setBotWidget.body.settings'], WIDGET_TEXTS),
  shapeIn('admin', ['createBotVersion.output', 'getBotVersion.output'], { version: 'Version of the bot.' }),
  shapeIn('admin', ['listBotVersions.output'], { versions: 'Versions of the bot, newest first.' }),
  shapeIn('admin', ['output.version', 'output.versions'], {
    id: 'Id of the version.',
    name: 'Name for people. That of an automatic version is the time of its deployment.',
    description: 'Explanation for people.',
    createdAt: 'Time at which the version was saved.',
    createdBy: 'Account of the member who deployed the code or saved the version.',
    automatic: 'True for the version of a deployment, which is removed before named ones.',
    active: 'True for the version that was deployed last.',
  }),
  shapeIn('admin', ['createBotVersion.body'], {
    name: 'Name for people, which need not be unique.',
    description: 'Explanation for people.',
  }),
  shapeIn('admin', ['getBotVersion.output'], {
    url: 'Address of the code, which is valid for an hour. Empty for a version that names an endpoint.',
    definition: 'Definition of the bot in this version, in the form of `getBot`, without configurations and secrets.',
  }),
  shapeIn('admin', ['deployBotVersion.body'], { versionId: 'Version to deploy.' }),
  shapeIn('admin', ['deployBotVersion.output'], {
    status: 'State of the bot: `active`, or `deploying` while the code starts.',
    statusReason: 'Reason why the code could not be started. The former code then takes calls.',
  }),
  shapeIn('admin', ['transferBot.body'], { targetWorkspaceId: 'Workspace that receives the bot.' }),
  shapeIn('admin', ['createOAuthState.output'], {
    state: 'Value for the parameter `state` of the provider, valid for 15 minutes in one browser.',
    expiresAt: 'Time at which the value expires.',
    redirectUrl: 'Address to register as redirect URL at the provider.',
  }),
  anywhereIn('admin', {
    newSigningSecret: 'New secret, which is shown only once. The previous one stays valid for 24 hours.',
    shareableId: 'Id that represents the installation to others. Another one replaces it.',
    isExpired: 'True if the id is older than 30 days.',
  }),
];
