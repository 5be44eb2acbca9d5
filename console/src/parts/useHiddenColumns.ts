import { useEffect, useRef, useState } from 'react';

/** Rounding of widths. */
const TOLERANCE_PX = 2;

/** Returns true while the first element below `ref` can scroll further to the right. */
export function useHiddenColumns() {
  const ref = useRef<HTMLDivElement>(null);
  const [hasMore, setMore] = useState(false);
  useEffect(() => {
    const scroller = ref.current?.firstElementChild;
    if (!scroller) return;
    const update = () => setMore(scroller.scrollLeft + scroller.clientWidth < scroller.scrollWidth - TOLERANCE_PX);
    const resizes = new ResizeObserver(update);
    resizes.observe(scroller);
    if (scroller.firstElementChild) resizes.observe(scroller.firstElementChild);
    scroller.addEventListener('scroll', update, { passive: true });
    return () => {
      resizes.disconnect();
      scroller.removeEventListener('scroll', update);
    };
  }, []);
  return { ref, hasMore };
}
