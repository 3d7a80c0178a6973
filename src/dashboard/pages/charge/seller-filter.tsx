import { FilterSelect } from '../../components/filter-bar.tsx';
import { t } from '../../language/texts.ts';
import { useIsOwner } from '../../viewer.ts';
import { useTeamChoices } from '../audit/use-actor-choices.ts';

/** Limits the list to the sales of a user at the counter. Only owners see the users. */
export function SellerFilter() {
  return useIsOwner() ? <SellerSelect /> : null;
}

function SellerSelect() {
  const team = useTeamChoices();
  if (team.length < 2) return null;
  return (
    <FilterSelect
      name="seller"
      label={t.common.soldAtTheCounterBy}
      choices={team}
      searchable
      comboboxProps={{ width: 340, position: 'bottom-start' }}
    />
  );
}
