import { Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { sizeText } from '../../format/size.ts';
import classes from './file-drop.module.css';

/** Where a file is dropped or picked; a real file input beneath, so the keyboard reaches it. */
export function FileDrop({ file, onFile }: { file: File | undefined; onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onFile(dropped);
  };
  return (
    <label
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        type="file"
        className={classes.input}
        aria-label="Statement file"
        onChange={({ currentTarget }) => {
          const [picked] = currentTarget.files ?? [];
          if (picked) onFile(picked);
          // The same file again, mended meanwhile, is another choice.
          currentTarget.value = '';
        }}
      />
      <Text component="span" display="block" fw={600}>
        {file ? file.name : 'Drop a file here, or choose one'}
      </Text>
      <Text component="span" display="block" size="sm" c="var(--causeway-muted)">
        {file
          ? `${sizeText(file.size)} · choose another`
          : 'camt.053, camt.054, MT940 or CSV, at most 256 MiB'}
      </Text>
    </label>
  );
}
