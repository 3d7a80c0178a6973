import { Button } from '@mantine/core';
import { useState } from 'react';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { t } from '../../language/texts.ts';
import { useCanReview, useViewer } from '../../viewer.ts';
import { updateTransfersMutation } from '../transfer/transfer-query.ts';

export function AssignToMeButton({ ids, onChanged }: { ids: readonly string[]; onChanged: () => void }) {
  const { user } = useViewer();
  const canReview = useCanReview();
  const update = useMutationAction(updateTransfersMutation, onChanged);
  const [error, setError] = useState<string>();
  if (!canReview) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        onClick={async () => setError(await update({ input: { ids: [...ids], assigneeId: user.id } }))}
      >
        {t.review.assignToMe}
      </Button>
      <ErrorAlert text={error} />
    </>
  );
}
