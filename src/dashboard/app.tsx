import { Center, Loader } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Provider, useQuery } from 'urql';
import { useLocation } from 'wouter';
import { LoadError } from './components/load-error.tsx';
import { ReauthenticationDialog } from './components/reauthentication-dialog.tsx';
import { CounterRoutes } from './counter-routes.tsx';
import { setDisplayTimeZone } from './format/moment.ts';
import {
  type ClientHandlers,
  createDashboardClient,
  type DashboardClient,
  type Mode,
} from './graphql/client.ts';
import type { LiveConnectionState } from './graphql/resilient-subscription.ts';
import { t } from './language/texts.ts';
import { OperatorRoutes } from './operator-routes.tsx';
import { ConfirmEmailPage } from './pages/account/confirm-email-page.tsx';
import { TwoFactorSetupPage } from './pages/account/two-factor-setup-page.tsx';
import { ForgotPasswordPage } from './pages/sign-in/forgot-password-page.tsx';
import { InvitationPage } from './pages/sign-in/invitation-page.tsx';
import { ResetPasswordPage } from './pages/sign-in/reset-password-page.tsx';
import { SignInPage } from './pages/sign-in/sign-in-page.tsx';
import { Routes } from './routes.tsx';
import { CenteredPage } from './shell/centered-page.tsx';
import { CounterShell } from './shell/counter-shell.tsx';
import { MerchantShell } from './shell/merchant-shell.tsx';
import { OperatorShell } from './shell/operator-shell.tsx';
import type { SignOut } from './shell/use-sign-out.ts';
import { WrongAddressPage } from './shell/wrong-address-page.tsx';
import { getStoredMode, ModeProvider, useMode, useStoredMode } from './use-mode.ts';
import { ViewerProvider, viewerQuery } from './viewer.ts';

/** The origin at which the session cookie is valid, from a meta tag set by the server. */
const configuredOrigin = document.querySelector<HTMLMetaElement>('meta[name=causeway-origin]')?.content ?? '';
const isWrongOrigin = configuredOrigin !== window.location.origin;

export function App() {
  const { mode, setMode, showMode } = useStoredMode();
  const [generation, setGeneration] = useState(0);
  const [connection, setConnection] = useState<LiveConnectionState>('open');
  const { isSessionExpired, startSession, signOut, onSignedOut } = useSession(setGeneration);
  const current = useDashboardClient(mode, generation, {
    onSignedOut,
    onConnection: setConnection,
    // A new client discards all data loaded with the old permissions.
    onPermissionsChanged: startSession,
  });
  const modeSwitch = useMemo(
    () => current && { mode: current.mode, setMode, showMode },
    [current, setMode, showMode],
  );
  if (isWrongOrigin) return <WrongAddressPage origin={configuredOrigin} />;
  if (!current || !modeSwitch) return null;
  return (
    <ModeProvider value={modeSwitch}>
      <Provider value={current.client}>
        <AuthGate
          key={current.generation}
          connection={connection}
          isSessionExpired={isSessionExpired}
          onSessionStarted={startSession}
          signOut={signOut}
        />
      </Provider>
    </ModeProvider>
  );
}

/** `isSessionExpired` is true after the session has expired, but not after signing out. */
function useSession(setGeneration: (next: (count: number) => number) => void) {
  const [isSessionExpired, setSessionExpired] = useState(false);
  const isSigningOut = useRef(false);
  return useMemo(() => {
    const renewClient = (hasExpired: boolean) => {
      setSessionExpired(hasExpired);
      setGeneration((count) => count + 1);
    };
    return {
      startSession: () => {
        isSigningOut.current = false;
        renewClient(false);
      },
      onSignedOut: () => renewClient(!isSigningOut.current),
      signOut: async (endSession: () => Promise<string | undefined>) => {
        isSigningOut.current = true;
        const message = await endSession();
        if (message === undefined) renewClient(false);
        else isSigningOut.current = false;
        return message;
      },
      isSessionExpired,
    };
  }, [isSessionExpired, setGeneration]);
}

type CurrentClient = DashboardClient & { mode: Mode; generation: number };

/** Creates a new client for each mode and session, so that modes and sessions share no cached data. */
function useDashboardClient(
  mode: Mode,
  generation: number,
  handlers: ClientHandlers,
): CurrentClient | undefined {
  const [current, setCurrent] = useState<CurrentClient>();
  const { onSignedOut, onConnection, onPermissionsChanged } = handlers;
  useEffect(() => {
    const created = createDashboardClient({ mode, onSignedOut, onConnection, onPermissionsChanged });
    setCurrent({ ...created, mode, generation });
    onConnection('open');
    return created.close;
  }, [mode, generation, onSignedOut, onConnection, onPermissionsChanged]);
  return current;
}

/** Marks the gate query, which loads the signed-in user. */
const authGateContext = { isGate: true };

type AuthGateProps = {
  connection: LiveConnectionState;
  isSessionExpired: boolean;
  onSessionStarted: () => void;
  signOut: SignOut;
};

/** Renders the pages that need no session (of emailed links, and for forgotten passwords), or the rest of the app. */
function AuthGate(props: AuthGateProps) {
  const [location, navigate] = useLocation();
  const { onSessionStarted } = props;
  if (location === '/forgot-password') return <ForgotPasswordPage />;
  if (location === '/reset-password') return <ResetPasswordPage />;
  if (location === '/invitation') {
    const enterDashboard = () => {
      navigate('/', { replace: true });
      onSessionStarted();
    };
    return <InvitationPage onAccepted={enterDashboard} />;
  }
  return <AuthenticatedApp {...props} />;
}

function AuthenticatedApp({ connection, isSessionExpired, onSessionStarted, signOut }: AuthGateProps) {
  const { mode, showMode } = useMode();
  const [location, navigate] = useLocation();
  const [{ data, error }, reload] = useQuery({
    query: viewerQuery,
    requestPolicy: 'network-only',
    context: authGateContext,
  });
  const merchant = data?.viewer?.merchant;
  // Users start in the sandbox until the merchant can receive live payments. Only a choice of the user is stored.
  const startsInSandbox =
    mode === 'live' &&
    getStoredMode() === null &&
    merchant != null &&
    !merchant.isDemo &&
    !merchant.setupProgress.hasReceivingAccount &&
    !merchant.setupProgress.hasLivePayment;
  useEffect(() => {
    if (startsInSandbox) showMode('sandbox');
  }, [startsInSandbox, showMode]);
  if (error)
    return (
      <CenteredPage>
        <LoadError error={error} onRetry={() => reload()} />
      </CenteredPage>
    );
  if (!data || startsInSandbox)
    return (
      <Center mih="100dvh">
        <Loader aria-label={t.common.loading} />
      </Center>
    );
  const { viewer } = data;
  const onContinue = () => {
    navigate('/account', { replace: true });
    onSessionStarted();
  };
  if (!viewer) return <SignInPage isSessionExpired={isSessionExpired} onSignedIn={onSessionStarted} />;
  if (viewer.isTwoFactorSetupRequired)
    return <TwoFactorSetupPage email={viewer.user.email} onEnabled={onSessionStarted} signOut={signOut} />;
  if (location === '/confirm-email') return <ConfirmEmailPage onContinue={onContinue} />;
  setDisplayTimeZone(viewer.merchant?.timeZone ?? 'UTC');
  if (!viewer.merchant)
    return (
      <ViewerProvider value={viewer}>
        <OperatorShell signOut={signOut}>
          <OperatorRoutes />
          <ReauthenticationDialog />
        </OperatorShell>
      </ViewerProvider>
    );
  if (!viewer.permissions.includes('read'))
    return (
      <ViewerProvider value={viewer}>
        <CounterShell connection={connection} signOut={signOut}>
          <CounterRoutes key={mode} />
          <ReauthenticationDialog />
        </CounterShell>
      </ViewerProvider>
    );
  return (
    <ViewerProvider value={viewer}>
      <MerchantShell connection={connection} signOut={signOut}>
        <Routes key={mode} />
        <ReauthenticationDialog />
      </MerchantShell>
    </ViewerProvider>
  );
}
