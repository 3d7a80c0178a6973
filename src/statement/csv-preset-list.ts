import type { BankPreset } from './csv-preset.ts';
import { chinesePresets } from './csv-presets-china.ts';
import { southernPresets } from './csv-presets-south.ts';

export const bankPresets: BankPreset[] = [...chinesePresets, ...southernPresets];
