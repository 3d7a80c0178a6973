import '@mantine/core/styles.css';
import './base.css';
import { MantineProvider } from '@mantine/core';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type AroundNavHandler, Router } from 'wouter';
import { App } from './app.tsx';
import { DiscardDialog } from './components/discard-dialog.tsx';
import { confirmDiscard, guardUnsavedChanges, isSamePage } from './components/unsaved-changes.ts';
import { cspNonce } from './csp-nonce.ts';
import { language, t } from './language/texts.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { keepFocus } from './shell/keep-focus.ts';
import { theme } from './theme.ts';

// get-nonce, a dependency of Mantine's dialogs, reads the nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: cspNonce });

document.documentElement.lang = language;
keepFocus();
guardUnsavedChanges();

const root = createRoot(document.getElementById('root') as HTMLElement, {
  onUncaughtError: (error) => {
    reportError(error);
    // React has already unmounted the page.
    render(<ErrorPage title={t.shell.theDashboardFailedUnexpectedly} text={t.shell.submittedDataIsSafe} />);
  },
});

function render(content: ReactNode): void {
  root.render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => cspNonce}>
        {content}
      </MantineProvider>
    </StrictMode>,
  );
}

const navigateWithGuard: AroundNavHandler = (navigate, to, options) => {
  if (isSamePage(to)) navigate(to, options);
  else void confirmDiscard(() => navigate(to, options));
};

render(
  <Router base="/dashboard" aroundNav={navigateWithGuard}>
    <App />
    <DiscardDialog />
  </Router>,
);
