/** Runs a change and notifies the user of its outcome. */
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';
import { explain } from './explain.ts';
import { checkRole } from './useMember.ts';

const t = translator('common', common);

interface Options<Result> {
  done?: string | ((result: Result) => string);
  changes?: readonly (readonly unknown[])[];
  onDone?: (result: Result) => void;
  /** Returns true if the page shows the error itself, for example at a field. */
  showError?: (error: unknown) => boolean;
  onFailed?: () => void;
  /** Changes with the same scope run one after the other. */
  scope?: string;
}

export function useAction<Input, Result>(run: (input: Input) => Promise<Result>, options: Options<Result> = {}) {
  const { done, changes = [], onDone, showError, onFailed, scope } = options;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: run,
    ...(scope === undefined ? {} : { scope: { id: scope } }),
    onSuccess: async result => {
      await Promise.all(changes.map(queryKey => queries.invalidateQueries({ queryKey: [...queryKey] })));
      if (done) notifications.show({ message: typeof done === 'string' ? done : done(result) });
      onDone?.(result);
    },
    onError: error => {
      checkRole(queries, error);
      onFailed?.();
      if (showError?.(error)) return;
      const { message, id } = explain(error);
      notifications.show({
        title: t('actionFailed'),
        message: id ? t('withErrorId', { message, id }) : message,
        color: 'red',
        autoClose: 12_000,
      });
    },
  });
}
