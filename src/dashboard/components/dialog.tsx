import { Modal, type ModalProps } from '@mantine/core';
import { createContext, useContext, useMemo, useRef } from 'react';
import { confirmDiscard } from './unsaved-changes.ts';

/** Keeps the dialog open until the work has finished. */
type DialogLock = (work: void | Promise<void>) => Promise<void>;

const DialogLockContext = createContext<DialogLock>(async (work) => work);

export const useDialogLock = () => useContext(DialogLockContext);

/**
 * A dialog that cannot be closed while a request of its form is pending, because the result, such as a secret
 * that is shown once, would be lost or appear in another dialog. It asks before it discards unsaved changes.
 */
export function Dialog({ onClose, children, ...rest }: ModalProps) {
  const lockCount = useRef(0);
  const lock = useMemo<DialogLock>(
    () => async (work) => {
      lockCount.current += 1;
      try {
        await work;
      } finally {
        lockCount.current -= 1;
      }
    },
    [],
  );
  const content = useRef<HTMLDivElement>(null);
  const close = () => {
    if (lockCount.current === 0) void confirmDiscard(onClose, content.current ?? undefined);
  };
  return (
    <Modal onClose={close} centered {...rest}>
      <DialogLockContext.Provider value={lock}>
        <div ref={content}>{children}</div>
      </DialogLockContext.Provider>
    </Modal>
  );
}
