import '@mantine/core/styles.css';
import './base.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { nonce } from './nonce.ts';
import { theme } from './theme.ts';

// The library beneath Mantine's dialogs (get-nonce) looks for it here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <Router base="/dashboard">
        <App />
      </Router>
    </MantineProvider>
  </StrictMode>,
);
