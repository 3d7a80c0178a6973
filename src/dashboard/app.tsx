import { Center, Loader } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Provider, useQuery } from 'urql';
import { useLocation } from 'wouter';
import { Failure } from './components/failure.tsx';
import { ReauthenticationDialog } from './components/reauthentication.tsx';
import { showTimesIn } from './format/moment.ts';
import { createDashboardClient, type DashboardClient, type Handlers, type Mode } from './graphql/client.ts';
import type { Connection } from './graphql/lasting-stream.ts';
import { OperatorRoutes } from './operator-routes.tsx';
import { TwoFactorSetupPage } from './pages/account/two-factor-setup-page.tsx';
import { ForgotPasswordPage } from './pages/sign-in/forgot-password-page.tsx';
import { InvitationPage } from './pages/sign-in/invitation-page.tsx';
import { ResetPasswordPage } from './pages/sign-in/reset-password-page.tsx';
import { SignInPage } from './pages/sign-in/sign-in-page.tsx';
import { Routes } from './routes.tsx';
import { CenteredPage } from './shell/centered-page.tsx';
import { OperatorShell } from './shell/operator-shell.tsx';
import { Shell } from './shell/shell.tsx';
import type { SignOut } from './shell/use-sign-out.ts';
import { WrongAddressPage } from './shell/wrong-address-page.tsx';
import { ModeProvider, useMode, useStoredMode } from './use-mode.ts';
import { ViewerProvider, viewerQuery } from './viewer.ts';

/** The origin from which the session's cookie counts, as the server put it into the page. */
const ownOrigin = document.querySelector<HTMLMetaElement>('meta[name=causeway-origin]')?.content ?? '';
const isElsewhere = ownOrigin !== window.location.origin;

/** Everything: a client for the mode that is shown, and within it the sign-in page or the dashboard. */
export function App() {
  const { mode, setMode } = useStoredMode();
  const [generation, setGeneration] = useState(0);
  const [connection, setConnection] = useState<Connection>('open');
  const { hasEnded, begin, signOut, onSignedOut } = useSession(setGeneration);
  const current = useDashboardClient(mode, generation, {
    onSignedOut,
    onConnection: setConnection,
    // Nothing of what one was shown before stays.
    onRightsChanged: begin,
  });
  const shown = useMemo(() => current && { mode: current.mode, setMode }, [current, setMode]);
  if (isElsewhere) return <WrongAddressPage origin={ownOrigin} />;
  if (!current || !shown) return null;
  return (
    <ModeProvider value={shown}>
      <Provider value={current.client}>
        <Gate
          key={current.generation}
          connection={connection}
          hasEnded={hasEnded}
          onSession={begin}
          signOut={signOut}
        />
      </Provider>
    </ModeProvider>
  );
}

/** How a session begins and ends. One that ended by itself is told of at the door; one that was left is not. */
function useSession(setGeneration: (next: (count: number) => number) => void) {
  const [hasEnded, setEnded] = useState(false);
  const isLeaving = useRef(false);
  return useMemo(() => {
    const renew = (ended: boolean) => {
      setEnded(ended);
      setGeneration((count) => count + 1);
    };
    return {
      begin: () => {
        isLeaving.current = false;
        renew(false);
      },
      onSignedOut: () => renew(!isLeaving.current),
      signOut: async (end: () => Promise<string | undefined>) => {
        isLeaving.current = true;
        const refused = await end();
        if (refused === undefined) renew(false);
        else isLeaving.current = false;
        return refused;
      },
      hasEnded,
    };
  }, [hasEnded, setGeneration]);
}

type CurrentClient = DashboardClient & { mode: Mode; generation: number };

/** A new client for every mode and session, so that nothing of one shows in another. */
function useDashboardClient(mode: Mode, generation: number, handlers: Handlers): CurrentClient | undefined {
  const [current, setCurrent] = useState<CurrentClient>();
  const { onSignedOut, onConnection, onRightsChanged } = handlers;
  useEffect(() => {
    const made = createDashboardClient({ mode, onSignedOut, onConnection, onRightsChanged });
    setCurrent({ ...made, mode, generation });
    onConnection('open');
    return made.close;
  }, [mode, generation, onSignedOut, onConnection, onRightsChanged]);
  return current;
}

const gateContext = { isGate: true };

type GateProps = {
  connection: Connection;
  hasEnded: boolean;
  onSession: () => void;
  signOut: SignOut;
};

/** Open to whoever comes with a link, or has forgotten the password, signed in or not. */
function Gate(props: GateProps) {
  const [location, go] = useLocation();
  const { onSession } = props;
  if (location === '/forgot-password') return <ForgotPasswordPage />;
  if (location === '/reset-password') return <ResetPasswordPage />;
  if (location === '/invitation') {
    const enter = () => {
      go('/', { replace: true });
      onSession();
    };
    return <InvitationPage onAccepted={enter} />;
  }
  return <Inside {...props} />;
}

function Inside({ connection, hasEnded, onSession, signOut }: GateProps) {
  const { mode } = useMode();
  const [{ data, error }, reload] = useQuery({
    query: viewerQuery,
    requestPolicy: 'network-only',
    context: gateContext,
  });
  if (error)
    return (
      <CenteredPage>
        <Failure error={error} onRetry={() => reload()} />
      </CenteredPage>
    );
  if (!data)
    return (
      <Center mih="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    );
  const { viewer } = data;
  if (!viewer) return <SignInPage hasEnded={hasEnded} onSignedIn={onSession} />;
  if (viewer.mustEnableTwoFactor)
    return <TwoFactorSetupPage email={viewer.user.email} onEnabled={onSession} signOut={signOut} />;
  showTimesIn(viewer.merchant?.timeZone ?? 'UTC');
  if (!viewer.merchant)
    return (
      <ViewerProvider value={viewer}>
        <OperatorShell signOut={signOut}>
          <OperatorRoutes />
          <ReauthenticationDialog />
        </OperatorShell>
      </ViewerProvider>
    );
  return (
    <ViewerProvider value={viewer}>
      <Shell connection={connection} signOut={signOut}>
        <Routes key={mode} />
        <ReauthenticationDialog />
      </Shell>
    </ViewerProvider>
  );
}
