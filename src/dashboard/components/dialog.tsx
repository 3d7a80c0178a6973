import { Modal, type ModalProps } from '@mantine/core';
import { createContext, useContext, useMemo, useRef } from 'react';

/** What the form that is sent within a dialog keeps it open by. */
type Hold = (work: void | Promise<void>) => Promise<void>;

const HoldContext = createContext<Hold>(async (work) => work);

/** Keeps the dialog around open until what is given is done. */
export const useHold = () => useContext(HoldContext);

/**
 * A dialog in which a form sends something. It cannot be left while that is under way: what came of it, a secret that is
 * shown once, would be seen by nobody, or stand where something else is asked for.
 */
export function Dialog({ onClose, children, ...rest }: ModalProps) {
  const held = useRef(0);
  const hold = useMemo<Hold>(
    () => async (work) => {
      held.current += 1;
      try {
        await work;
      } finally {
        held.current -= 1;
      }
    },
    [],
  );
  const close = () => {
    if (held.current === 0) onClose();
  };
  return (
    <Modal onClose={close} centered {...rest}>
      <HoldContext.Provider value={hold}>{children}</HoldContext.Provider>
    </Modal>
  );
}
