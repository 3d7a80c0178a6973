import { Link } from '../../components/link.tsx';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';

/** Explains in the sandbox how to get the next invoice without waiting for it. */
export function TestClockHint() {
  const { mode } = useMode();
  if (mode !== 'sandbox') return null;
  return (
    <>
      {' '}
      {fillNodes(t.testClock.moveTheTestClock, {
        clock: <Link to="/test-clock">{t.common.testClock}</Link>,
      })}
    </>
  );
}
