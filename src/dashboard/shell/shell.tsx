import type { ReactNode } from 'react';
import type { Connection } from '../graphql/lasting-stream.ts';
import { useMethodName } from '../pages/payment-methods.ts';
import { Frame } from './frame.tsx';
import { ModeControl } from './mode-control.tsx';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import type { SignOut } from './use-sign-out.ts';

/** The frame of a merchant's pages: where to go, which mode is shown, who is signed in, and what must not be overlooked. */
export function Shell(props: { connection: Connection; signOut: SignOut; children: ReactNode }) {
  const { connection, signOut, children } = props;
  // Asked for before any page is, so that no list shows the codes first.
  useMethodName();
  return (
    <Frame controls={<ModeControl />} navigation={<Navigation />} signOut={signOut}>
      <Notices connection={connection} />
      {children}
    </Frame>
  );
}
