import { en } from '../../src/dashboard/language/strings/en.ts';
import { setTexts } from '../../src/dashboard/language/texts.ts';

// Modules of the dashboard use its texts when they are evaluated, so this file is imported before them.
setTexts(en);
