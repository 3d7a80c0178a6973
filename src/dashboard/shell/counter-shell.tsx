import type { ReactNode } from 'react';
import { ChargeIcon } from '../components/icons.tsx';
import type { LiveConnectionState } from '../graphql/resilient-subscription.ts';
import { t } from '../language/texts.ts';
import { MerchantName, ModeBadge, ModeControl, Notices } from './merchant-shell.tsx';
import { NavLinks } from './nav-links.tsx';
import { PageFrame } from './page-frame.tsx';
import type { SignOut } from './use-sign-out.ts';

/** The frame of users who may only sell at the counter. */
export function CounterShell(props: {
  connection: LiveConnectionState;
  signOut: SignOut;
  children: ReactNode;
}) {
  const { connection, signOut, children } = props;
  return (
    <PageFrame
      badge={<MerchantName />}
      controls={<ModeBadge />}
      navigation={
        <nav aria-label={t.shell.main}>
          <ModeControl mb="xs" />
          <NavLinks items={[{ to: '/counter', label: t.shell.counter, Icon: ChargeIcon }]} />
        </nav>
      }
      signOut={signOut}
    >
      <Notices connection={connection} />
      {children}
    </PageFrame>
  );
}
