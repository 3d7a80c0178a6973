import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Connection } from '../graphql/lasting-stream.ts';
import { useMode } from '../use-mode.ts';
import { useViewer } from '../viewer.ts';
import classes from './notices.module.css';

/** What must not be overlooked on any page. */
export function Notices({ connection }: { connection: Connection }) {
  const { mode } = useMode();
  const { merchant } = useViewer();
  return (
    <Stack gap="xs" className={classes.notices} role="status">
      {connection === 'lost' && (
        <Notice title="Not live">
          The connection is interrupted. What you see may be old; trying again.
        </Notice>
      )}
      {mode === 'sandbox' ? (
        <Notice title="Sandbox">For trying out: nothing here is real money.</Notice>
      ) : (
        merchant?.demo && (
          <Notice title="Demo">
            The receiving accounts are fictional. Nobody receives what is paid to them.
          </Notice>
        )
      )}
    </Stack>
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className={classes.notice}>
      <strong>{title}</strong> {children}
    </p>
  );
}
