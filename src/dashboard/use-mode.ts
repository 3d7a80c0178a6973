import { createContext, useCallback, useContext, useState } from 'react';
import type { Mode } from './graphql/client.ts';

const storageKey = 'causeway-mode';

type ModeSwitch = { mode: Mode; setMode: (mode: Mode) => void };

/** Returns the mode that was selected last in this tab or, in a new tab, in this browser. */
export function getStoredMode(): string | null {
  return sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey);
}

/** Returns the mode of this tab. A new tab starts with the mode that was selected last. */
export function useStoredMode(): ModeSwitch {
  const [mode, setStoredMode] = useState<Mode>(() => (getStoredMode() === 'sandbox' ? 'sandbox' : 'live'));
  const setMode = useCallback((next: Mode) => {
    sessionStorage.setItem(storageKey, next);
    localStorage.setItem(storageKey, next);
    setStoredMode(next);
  }, []);
  return { mode, setMode };
}

const ModeContext = createContext<ModeSwitch>({ mode: 'live', setMode: () => {} });
export const ModeProvider = ModeContext.Provider;

export function useMode(): ModeSwitch {
  return useContext(ModeContext);
}
