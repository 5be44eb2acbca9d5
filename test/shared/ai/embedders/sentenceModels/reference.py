"""Writes reference.json: the pieces and vectors of texts by the Python libraries of the model's authors.

pip install onnxruntime tokenizers numpy
python test/shared/ai/embedders/sentenceModels/reference.py && npm run format
"""

import json
from pathlib import Path

import numpy
import onnxruntime
import tokenizers

FOLDER = Path(__file__).parent
MODEL = FOLDER.parents[4] / "infra/vendored/models/all-MiniLM-L6-v2"
# Every 24th component, to keep the file small.
STEP = 24

tokenizer = tokenizers.Tokenizer.from_file(str(MODEL / "tokenizer.json"))
tokenizer.no_padding()
options = onnxruntime.SessionOptions()
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
session = onnxruntime.InferenceSession(str(MODEL / "onnx/model_quantized.onnx"), options)


def embed(ids):
    inputs = {
        "input_ids": [ids],
        "attention_mask": [[1] * len(ids)],
        "token_type_ids": [[0] * len(ids)],
    }
    tensors = {name: numpy.array(values, dtype=numpy.int64) for name, values in inputs.items()}
    mean = session.run(None, tensors)[0][0].mean(axis=0)
    return mean / numpy.linalg.norm(mean)


def describe(text):
    ids = tokenizer.encode(text).ids
    return {"text": text, "ids": ids, "vector": [round(float(value), 5) for value in embed(ids)[::STEP]]}


texts = json.loads((FOLDER / "texts.json").read_text())
lines = [json.dumps(describe(text), ensure_ascii=False) for text in texts]
(FOLDER / "reference.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
