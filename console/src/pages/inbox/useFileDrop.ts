/** Accepts files that are dropped on an element. */
import { type DragEvent, useRef, useState } from 'react';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false);
  // Child elements report entries and exits of their own.
  const depth = useRef(0);
  const enter = (by: 1 | -1) => (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth.current += by;
    setOver(depth.current > 0);
  };
  return {
    isOver,
    dropProps: {
      onDragEnter: enter(1),
      onDragLeave: enter(-1),
      onDragOver: (event: DragEvent) => {
        if (hasFiles(event)) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        // The browser would open the file instead of the page.
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}
