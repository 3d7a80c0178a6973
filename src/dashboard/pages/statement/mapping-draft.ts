import { useState } from 'react';
import { type Mapping, mappingInput, type Preview } from './import-query.ts';

/**
 * The mapping as the form shows it: that of the preview, and then what a person makes of it. `isRead` while the preview was
 * read by it. `key` is another where the form begins anew.
 */
export function useMappingDraft(
  key: string,
  { preview, tried }: { preview: Preview | undefined; tried: Mapping | undefined },
) {
  const [draft, setDraft] = useState<{ key: string; mapping: Mapping }>();
  const read = mappingInput(preview?.mapping ?? {});
  const mapping = draft?.key === key ? draft.mapping : read;
  const change = (next: Mapping) => setDraft({ key, mapping: next });
  return {
    mapping,
    change,
    isRead: isSame(mapping, read) || (tried !== undefined && isSame(mapping, tried)),
  };
}

/** Whether a file would be read alike by both. */
function isSame(one: Mapping, other: Mapping): boolean {
  const [text, otherText] = [one, other].map((mapping) => {
    const members = Object.entries(onlyWhatCounts(mapping)).filter(([, value]) => value !== false);
    return JSON.stringify(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  return text === otherText;
}

/** A mapping holds nothing of the other ways to tell an amount. */
export function onlyWhatCounts(mapping: Mapping): Mapping {
  const {
    amount,
    credit,
    debit,
    direction,
    creditWords,
    debitWords,
    creditIsNegative,
    bookedWords,
    ...rest
  } = mapping;
  const kinds = {
    columns: { credit, debit },
    signed: { amount, creditIsNegative },
    direction: { amount, direction, creditWords, debitWords },
  };
  const status = rest.status == null ? {} : { bookedWords };
  return mappingInput({ ...rest, ...kinds[mapping.amountKind], ...status });
}
