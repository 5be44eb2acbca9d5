/** Alerts the member of changes that concern them, on every page of a workspace. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAdminClient, useParley, useWorkspaceId } from '../api/clients.ts';
import { onNotice } from '../api/live/noticeListeners.ts';
import { useWorkspaceLive } from '../api/live/useLive.ts';
import { useInboxCounts } from '../api/useInboxCounts.ts';
import { useLatestHandoffs } from '../api/useLatestHandoffs.ts';
import type { AlertSettings } from './alertSettings.ts';
import { textOf } from './alertText.ts';
import type { Alert } from './decideAlerts.ts';
import { showOnDesktop } from './desktop.ts';
import { playSound } from './sound.ts';
import { lead, readViewed, useViewing } from './tabs.ts';
import { readSettings, useChangesInOtherTabs } from './useAlertSettings.ts';
import { type AlertWatch, watchAlerts } from './watchAlerts.ts';

/** Handoffs that are read where notices were missed. */
const CATCH_UP = 50;

export function Alerts({ ownId }: { ownId: string }) {
  useViewing();
  useChangesInOtherTabs();
  const watch = useWatch(ownId);
  const { data } = useInboxCounts();
  const isLive = useWorkspaceLive().refetchInterval === false;
  // Before the counts, which may have been read for the new state of the connection.
  useEffect(() => watch?.onConnection(isLive), [watch, isLive]);
  useEffect(() => {
    if (data) void watch?.onCounts(data);
  }, [watch, data]);
  return null;
}

function useWatch(ownId: string): AlertWatch | undefined {
  const workspaceId = useWorkspaceId();
  const client = useAdminClient();
  const parley = useParley();
  const read = useLatestHandoffs();
  const queries = useQueryClient();
  const router = useRouter();
  const [watch, setWatch] = useState<AlertWatch>();
  useEffect(() => {
    const list = async (which: 'waiting' | 'mine') => {
      const filters = which === 'waiting' ? { status: ['waiting' as const] } : { accountId: ownId };
      return (await parley.listInboxHandoffs({ ...filters, sortDirection: 'desc', pageSize: CATCH_UP })).handoffs;
    };
    const show = (alerts: readonly Alert[], { sound, volume, desktop }: AlertSettings) => {
      const text = textOf(alerts);
      const open = () =>
        router.history.push(
          `${text.path}?${new URLSearchParams({ view: text.view, ...(text.note ? { note: text.note } : {}) })}`,
        );
      if (sound) void playSound(volume);
      if (desktop) showOnDesktop(text, sound, open);
    };
    const started = watchAlerts({
      ownId,
      read,
      list,
      listMentions: async () => (await parley.listMentions({ isUnread: true, pageSize: CATCH_UP })).mentions,
      readSettings: () => readSettings(queries, client),
      readViewed,
      show,
    });
    const ended = new AbortController();
    void lead(ownId, workspaceId, ended.signal, started.lead);
    const silence = onNotice(workspaceId, notice => void started.onNotice(notice));
    setWatch(started);
    return () => {
      silence();
      ended.abort();
      started.stop();
    };
  }, [ownId, workspaceId, client, parley, read, queries, router]);
  return watch;
}
