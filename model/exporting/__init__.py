"""Networks as ONNX graphs that browsers run, with their weights beside them."""
