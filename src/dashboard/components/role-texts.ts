import { t } from '../language/texts.ts';

export const roleTexts = {
  owner: { name: t.components.owner, text: t.components.fullAccessIncludingMoney },
  developer: {
    name: t.components.developer,
    text: t.components.sameAsSupportInLive,
  },
  accountant: {
    name: t.components.accountant,
    text: t.components.seesAndExportsEverything,
  },
  support: { name: t.components.support, text: t.components.seesEverythingCreatesLinks },
  cashier: { name: t.components.cashier, text: t.components.sellsAtTheCounter },
  read_only: { name: t.components.readOnly, text: t.components.seesEverythingAndExports },
  operator: { name: t.components.operator, text: t.components.runsThisServerAnd },
};
