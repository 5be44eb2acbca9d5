/** Import and export jobs with their progress. */

import type { Client } from '@botpress/client';
import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useBotClient } from '../../api/clients.ts';
import { explain } from '../../api/explain.ts';
import { putWithProgress } from '../../api/putWithProgress.ts';
import { IconDownload, IconUpload } from '../../icons/tabler.ts';
import { tables } from '../../messages/en/tables.ts';
import { translator } from '../../messages/translate.ts';
import { SafeLink } from '../../parts/Media.tsx';
import { Failure } from '../../parts/States.tsx';
import type { Table } from './cellValues.ts';

const t = translator('tables', tables);

type Job = Awaited<ReturnType<Client['getTableJobs']>>['jobs'][number];

const POLL_MS = 1_000;

/** Retention of an imported file, which is unused after the import. */
const KEPT_MS = 24 * 3_600_000;

interface TransfersProps {
  botId: string;
  table: Table;
  onImported: () => void;
  /** Exports the rows that a filter or search shows. Undefined for all rows. */
  exportShown?: (() => Promise<void>) | undefined;
}

export function Transfers({
  botId,
  table,
  onImported,
  exportShown,
  children,
}: TransfersProps & { children: ReactNode }) {
  const client = useBotClient(botId);
  const [jobId, setJobId] = useState<string>();
  const [share, setShare] = useState<number>();
  const [fault, setFault] = useState<unknown>();
  const reset = useRef<() => void>(null);

  const attempt = async (start: () => Promise<{ job: { id: string } }>) => {
    setFault(undefined);
    setJobId(undefined);
    try {
      setJobId((await start()).job.id);
    } catch (error) {
      setFault(error);
    }
    setShare(undefined);
    reset.current?.();
  };
  const importFile = (file: File | null) => {
    if (!file) return;
    void attempt(async () => {
      const contentType = file.type || 'text/csv';
      const { file: slot } = await client.upsertFile({
        key: `imports/${table.name}/${Date.now()}-${file.name}`,
        size: file.size,
        contentType,
        expiresAt: new Date(Date.now() + KEPT_MS).toISOString(),
      });
      await putWithProgress(slot.uploadUrl, file, contentType, setShare);
      return client.importTable({ table: table.id, fileId: slot.id });
    });
  };
  const isBusy = share !== undefined;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <FileButton
          onChange={importFile}
          accept=".csv,.json,.jsonl,.gz,text/csv,application/json"
          resetRef={reset}
          inputProps={{ 'aria-label': t('fileToImport') }}
        >
          {props => (
            <Button variant="default" leftSection={<IconUpload size={14} aria-hidden />} loading={isBusy} {...props}>
              {t('import')}
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() =>
            exportShown
              ? void exportShown().catch(setFault)
              : void attempt(() => client.exportTable({ table: table.id, format: 'csv' }))
          }
        >
          {t(exportShown ? 'exportShown' : 'exportCsv')}
        </Button>
        {children}
      </Group>
      {isBusy && <Bar share={share} label={t('upload')} />}
      {fault !== undefined && <Failure error={fault} />}
      {jobId && <JobState key={jobId} botId={botId} table={table} jobId={jobId} onImported={onImported} />}
    </Stack>
  );
}

const Bar = ({ share, label }: { share: number; label: string }) => (
  <Group gap="xs" role="status">
    <Text size="sm">{label}</Text>
    <Progress flex={1} miw={160} maw={400} size="sm" value={share * 100} aria-label={label} />
    <Text size="sm">{t('percent', { share: Math.round(share * 100) })}</Text>
  </Group>
);

const isOver = (job: Job | undefined) => job?.status === 'completed' || job?.status === 'failed';

const outcomeOf = (type: Job['type'] | undefined, status: Job['status'] | undefined) =>
  `${type === 'export' ? 'export' : 'import'}_${status === 'completed' ? 'completed' : 'failed'}` as const;

interface JobStateProps extends TransfersProps {
  jobId: string;
}

function JobState({ botId, table, jobId, onImported }: JobStateProps) {
  const client = useBotClient(botId);
  const { data: job, error } = useQuery({
    queryKey: ['job', botId, jobId],
    queryFn: async () => (await client.getTableJobs({ table: table.id })).jobs.find(({ id }) => id === jobId),
    refetchInterval: query => (isOver(query.state.data) ? false : POLL_MS),
  });
  const status = job?.status;
  const type = job?.type;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has ended
  useEffect(() => {
    if (status === 'completed' && type === 'import') onImported();
  }, [status, type]);
  if (error) return <Text size="sm">{explain(error).message}</Text>;
  if (!isOver(job))
    return <Bar share={(job?.progress ?? 0) / 100} label={t(type === 'export' ? 'exporting' : 'importing')} />;
  return (
    <Group gap="xs" role="status">
      <Text size="sm">{t(outcomeOf(type, status))}</Text>
      {job?.outputFileId && (
        <Output botId={botId} fileId={job.outputFileId} label={t(type === 'export' ? 'download' : 'rejected')} />
      )}
    </Group>
  );
}

function Output({ botId, fileId, label }: { botId: string; fileId: string; label: string }) {
  const client = useBotClient(botId);
  const { data } = useQuery({
    queryKey: ['file', botId, fileId],
    queryFn: async () => (await client.getFile({ id: fileId })).file,
  });
  return data ? <SafeLink href={data.url}>{label}</SafeLink> : null;
}
