import { DIAGRAM_STYLE } from './diagramStyle.ts';

const CLIENT = 'shape=oval, fillcolor="#ddf4ff", color="#54aeff"';
const STORE = 'shape=cylinder, fillcolor="#fff8c5", color="#d4a72c"';
const QUEUE = 'shape=cds, fillcolor="#fff8c5", color="#d4a72c"';

/** Diagram of the stack with default settings, from callers to storage. */
export const DEPLOYMENT_GRAPH = `digraph deployment {
  ${DIAGRAM_STYLE.trim()}
  graph [nodesep=0.3, ranksep=0.5]
  users [label="End users\\nwidget, webchat, clients", ${CLIENT}]
  members [label="Members\\nconsole, bp CLI", ${CLIENT}]
  services [label="External services\\ncall webhooks", ${CLIENT}]
  subgraph cluster_account {
    label="Your AWS account, one region"; labeljust=l; labelloc=b
    {rank=same; webhook chat cloudfront api}
    cloudfront [label="CloudFront\\nconsole, file contents"]
    chat [label="API Gateway: chat"]
    api [label="API Gateway: platform"]
    webhook [label="API Gateway: webhooks"]
    operations [label="Lambda\\none function and role per operation"]
    consumers [label="Lambda\\none function and role per consumer"]
    code [label="Lambda\\none function per deployed bot"]
    table [label="DynamoDB\\none table, encrypted secrets", ${STORE}]
    bucket [label="S3\\nfiles, large values", ${STORE}]
    vectors [label="S3 Vectors\\nsearch indexes", ${STORE}]
    queues [label="SQS, EventBridge\\njobs, schedules", ${QUEUE}]
    watch [label="CloudWatch\\nlogs, dashboard, alarms"]
  }
  endpoint [label="Bots and integrations\\nwith an HTTP endpoint", ${CLIENT}]
  users -> {cloudfront chat}
  members -> {cloudfront api}
  services -> webhook
  cloudfront -> bucket
  {chat api webhook} -> operations
  operations -> {table bucket vectors}
  table -> consumers [label="  stream"]
  operations -> queues
  bucket -> queues [label="  uploads"]
  queues -> consumers
  consumers -> {code endpoint}
  consumers -> watch [label="  logs, metrics", style=dashed]
}`;
