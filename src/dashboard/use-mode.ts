import { createContext, useCallback, useContext, useState } from 'react';
import { confirmDiscard } from './components/unsaved-changes.ts';
import type { Mode } from './graphql/client.ts';

const storageKey = 'causeway-mode';

type ModeSwitch = {
  mode: Mode;
  /** Selects the mode of this tab, and of new tabs. `onChanged` does not run if the user keeps unsaved changes. */
  setMode: (mode: Mode, onChanged?: () => void) => void;
  /** Shows a mode that the user has not selected, until the next load of the page. */
  showMode: (mode: Mode) => void;
};

/** Returns the mode that was selected last in this tab or, in a new tab, in this browser. */
export function getStoredMode(): string | null {
  return sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey);
}

/** Returns the mode of this tab. A new tab starts with the mode that was selected last. */
export function useStoredMode(): ModeSwitch {
  const [mode, showMode] = useState<Mode>(() => (getStoredMode() === 'sandbox' ? 'sandbox' : 'live'));
  const setMode = useCallback((next: Mode, onChanged?: () => void) => {
    // The pages of the other mode replace the present ones, with their forms.
    void confirmDiscard(() => {
      sessionStorage.setItem(storageKey, next);
      localStorage.setItem(storageKey, next);
      showMode(next);
      onChanged?.();
    });
  }, []);
  return { mode, setMode, showMode };
}

const ModeContext = createContext<ModeSwitch>({ mode: 'live', setMode: () => {}, showMode: () => {} });
export const ModeProvider = ModeContext.Provider;

export function useMode(): ModeSwitch {
  return useContext(ModeContext);
}
